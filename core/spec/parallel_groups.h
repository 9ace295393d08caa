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

/// How ranks share the work. Of dense layers all but Data divide one copy of the model among several ranks. The layers
/// of experts divide the same world another way: ExpertTensor divides each expert, Expert the experts, and ranks of one
/// ExpertData group hold the same part of the same ones. Both kinds of layers have the same Pipeline groups.
enum class Parallelism { Tensor, Context, Data, Pipeline, ExpertTensor, Expert, ExpertData };
inline constexpr std::array<Parallelism, 4> kParallelisms = {Parallelism::Tensor, Parallelism::Context,
                                                             Parallelism::Data, Parallelism::Pipeline};
inline constexpr std::array<Parallelism, 3> kExpertParallelisms = {Parallelism::ExpertTensor, Parallelism::Expert,
                                                                   Parallelism::ExpertData};
/// "tensor", "expert_data".
std::string_view nameOf(Parallelism along);
/// That of this name, which there must be.
Parallelism parallelismNamed(std::string_view name);

/// Where a rank stands along each of them, by their number.
struct RankCoordinates {
  std::array<std::int64_t, 7> places{};

  [[nodiscard]] std::int64_t operator[](Parallelism along) const { return places[static_cast<std::size_t>(along)]; }
  [[nodiscard]] std::int64_t& operator[](Parallelism along) { return places[static_cast<std::size_t>(along)]; }
  bool operator==(const RankCoordinates&) const = default;
};

/// Megatron's order of ranks, and that of its --use-tp-pp-dp-mapping: the first varies fastest from rank to rank, the
/// last slowest. In layers of experts ep stands in the place of cp. A torch DeviceMesh lists its dimensions the other
/// way round.
constexpr const char* kDataThenPipeline = "tp-cp-dp-pp";
constexpr const char* kPipelineThenData = "tp-cp-pp-dp";

/// How many ranks divide a copy of the model in each way, and its experts. Ranks of one copy train on the same samples:
/// a copy is one data-parallel rank. Experts change nothing of that: ranks with different experts may belong to
/// different copies, which read samples of their own.
struct ParallelGroups {
  std::int64_t tensor = 1;
  std::int64_t context = 1;
  std::int64_t pipeline = 1;
  std::string order = kDataThenPipeline;
  std::int64_t expert = 1;
  std::int64_t expert_tensor = 0;  ///< 0: as many as tensor

  bool operator==(const ParallelGroups&) const = default;

  /// Ranks of one copy of the model.
  [[nodiscard]] std::int64_t ranksOfModel() const { return tensor * context * pipeline; }
  /// Ranks that hold each expert of the model once.
  [[nodiscard]] std::int64_t ranksOfExperts() const { return tensorOfExperts() * expert * pipeline; }
  [[nodiscard]] std::int64_t tensorOfExperts() const { return expert_tensor == 0 ? tensor : expert_tensor; }
  /// Whether the spec says how ranks divide experts.
  [[nodiscard]] bool hasExperts() const { return expert > 1 || expert_tensor > 0; }
  /// Whether ranks divide a copy of the model, or its experts.
  [[nodiscard]] bool any() const { return ranksOfModel() > 1 || hasExperts(); }
  /// The size of a group along `along`, in a world of so many ranks, which ranksOfModel() and ranksOfExperts() divide.
  [[nodiscard]] std::int64_t sizeAlong(Parallelism along, std::int64_t world_size) const;
  [[nodiscard]] RankCoordinates coordinatesOf(Rank rank, std::int64_t world_size) const;
  /// The group of `rank`: the ranks that stand elsewhere only along `along`, and itself; ascending.
  [[nodiscard]] std::vector<Rank> groupOf(Rank rank, Parallelism along, std::int64_t world_size) const;

  /// "tensor 2, data 4", "data 8, expert 4, expert_data 2": the sizes of the groups that there are, and of the
  /// data-parallel ones.
  [[nodiscard]] std::string text(std::int64_t world_size) const;
  /// "tensor 0, data 3": where the rank stands along these.
  [[nodiscard]] std::string placesText(Rank rank, std::int64_t world_size) const;

 private:
  /// Those of the layers of experts or of the dense ones, the one that varies fastest first.
  [[nodiscard]] std::array<Parallelism, 4> fastestFirst(bool of_experts) const;
};

}  // namespace shardlens
