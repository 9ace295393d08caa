// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// How ranks share the work: all but Data divide one copy of the model among several ranks.
enum class Parallelism { Tensor, Context, Data, Pipeline };
inline constexpr std::array<Parallelism, 4> kParallelisms = {Parallelism::Tensor, Parallelism::Context,
                                                             Parallelism::Data, Parallelism::Pipeline};
/// "tensor".
std::string_view nameOf(Parallelism along);
/// That of this name, which there must be.
Parallelism parallelismNamed(std::string_view name);

/// Where a rank stands along each of them, by their number.
struct RankCoordinates {
  std::array<std::int64_t, 4> places{};

  [[nodiscard]] std::int64_t operator[](Parallelism along) const { return places[static_cast<std::size_t>(along)]; }
  [[nodiscard]] std::int64_t& operator[](Parallelism along) { return places[static_cast<std::size_t>(along)]; }
  bool operator==(const RankCoordinates&) const = default;
};

/// Megatron's order of ranks, and that of its --use-tp-pp-dp-mapping, without experts: the first varies fastest from
/// rank to rank, the last slowest. A torch DeviceMesh lists its dimensions the other way round.
constexpr const char* kDataThenPipeline = "tp-cp-dp-pp";
constexpr const char* kPipelineThenData = "tp-cp-pp-dp";

/// How many ranks divide a copy of the model in each way. They train on the same samples: a copy is one data-parallel
/// rank. Expert parallelism is not among them: ranks with different experts read samples of their own.
struct ParallelGroups {
  std::int64_t tensor = 1;
  std::int64_t context = 1;
  std::int64_t pipeline = 1;
  std::string order = kDataThenPipeline;

  bool operator==(const ParallelGroups&) const = default;

  /// Ranks of one copy of the model.
  [[nodiscard]] std::int64_t ranksOfModel() const { return tensor * context * pipeline; }
  /// The size of a group along `along`, in a world of so many ranks, which ranksOfModel() divides.
  [[nodiscard]] std::int64_t sizeAlong(Parallelism along, std::int64_t world_size) const;
  [[nodiscard]] RankCoordinates coordinatesOf(Rank rank, std::int64_t world_size) const;
  /// The group of `rank`: the ranks that stand elsewhere only along `along`, and itself; ascending.
  [[nodiscard]] std::vector<Rank> groupOf(Rank rank, Parallelism along, std::int64_t world_size) const;

  /// "tensor 2, data 4": the sizes of the groups that there are, and of the data-parallel ones.
  [[nodiscard]] std::string text(std::int64_t world_size) const;
  /// "tensor 0, data 3": where the rank stands along these.
  [[nodiscard]] std::string placesText(Rank rank, std::int64_t world_size) const;

 private:
  /// The one that varies fastest first.
  [[nodiscard]] std::array<Parallelism, 4> fastestFirst() const;
};

}  // namespace shardlens
