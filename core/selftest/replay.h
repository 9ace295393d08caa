// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/selftest/expectation.h"
#include "core/selftest/vector_row.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {

/// Makes plans and keeps the last one: neighbouring rows differ in rank and epoch only, and share its orders.
class Planner {
 public:
  /// Counts beyond this are not replayed: what a damaged row asks for must neither fill the memory nor take forever.
  static constexpr std::int64_t kMost = 300'000'000;
  explicit Planner(std::int64_t most = kMost) : most_(most) {}

  /// Whether a count (of samples, of epochs to walk through) is small enough to be replayed.
  [[nodiscard]] bool allows(std::int64_t count) const { return count >= 0 && count <= most_; }
  /// Whether every count among the row's parameters is small enough, and so is the epoch to walk to; a seed and a bound
  /// of numbers are not counts.
  [[nodiscard]] bool allows(const VectorRow& row) const;

  Result<RankEpoch> rankEpoch(const PipelineSpec& spec, Epoch epoch, Rank rank);
  /// Of the row's rank, and of its epoch or the pass over one object that it calls iteration; 0 where it names none.
  Result<RankEpoch> rankEpoch(const PipelineSpec& spec, const VectorRow& row);
  /// Says that a row is judged by this sampler's rule without a plan.
  void judges(std::string type) { type_ = std::move(type); }
  /// The sampler.type of the last plan, once; empty when there was no plan.
  std::string takeType() { return std::exchange(type_, {}); }

 private:
  std::string type_;
  std::int64_t most_;
  std::optional<Plan> last_;
  std::optional<Rank> rank_;  ///< that last_ was checked for
};

/// Replays the rows of one class through the engine: by a function, or by a spec that is made of the row's parameters.
struct Replay {
  std::string framework;
  std::string sampler;
  RowVerdict (*run)(const VectorRow& row, Planner& planner) = nullptr;
  std::string keys = {};  ///< where `run` is null: the parameters, as specByName() (by_name.h) reads them
  RowVerdict (*judge)(const VectorRow& row, const Result<RankEpoch>& drawn) = judgeItems;
  std::string type = {};  ///< sampler.type where it is not "<framework>.<sampler>"
};

/// One row per class, from the lists below; replay.cpp puts them together.
std::span<const Replay> replays();

/// Replays the row, or says that nothing here knows its class.
RowVerdict replay(const VectorRow& row, Planner& planner);

/// framework.torch for the version that wrote the row: "2.6.0+debian" -> "2.6".
std::string torchRelease(const std::string& version);
/// The same behind another framework's own version: "timm aa4b585 on torch 2.6.0".
std::string torchReleaseIn(const std::string& version);

/// A spec of so many samples, ranks on one node and samples in a batch, for the release of torch that wrote the row.
PipelineSpec rowSpec(const VectorRow& row, std::int64_t size, std::int64_t ranks, std::int64_t batch_size = 1);

std::vector<Replay> accelerateReplays();
std::vector<Replay> communityReplays();
std::vector<Replay> languageModelReplays();
std::vector<Replay> lightningReplays();
std::vector<Replay> numpyReplays();
std::vector<Replay> pythonReplays();
std::vector<Replay> streamingReplays();
std::vector<Replay> torchReplays();
std::vector<Replay> visionReplays();

}  // namespace shardlens::selftest
