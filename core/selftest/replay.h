// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/selftest/expectation.h"
#include "core/selftest/vector_row.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

/// Replays the rows of one class through the engine.
struct Replay {
  std::string framework;
  std::string sampler;
  RowVerdict (*run)(const VectorRow& row, Planner& planner);
};

/// One row per class, from the lists below; replay.cpp puts them together.
std::span<const Replay> replays();

/// Replays the row, or says that nothing here knows its class.
RowVerdict replay(const VectorRow& row, Planner& planner);

/// framework.torch for the version that wrote the row: "2.6.0+debian" -> "2.6".
std::string torchRelease(const std::string& version);
/// The same behind another framework's own version: "timm aa4b585 on torch 2.6.0".
std::string torchReleaseIn(const std::string& version);

std::span<const Replay> accelerateReplays();
std::span<const Replay> classBalanceReplays();
std::span<const Replay> composerReplays();
std::span<const Replay> datasetsReplays();
std::span<const Replay> deepspeedReplays();
std::span<const Replay> detectron2Replays();
std::span<const Replay> fairseqReplays();
std::span<const Replay> ffcvReplays();
std::span<const Replay> grainReplays();
std::span<const Replay> igniteReplays();
std::span<const Replay> imbalancedReplays();
std::span<const Replay> lightningInjectionReplays();
std::span<const Replay> lightningSamplerReplays();
std::span<const Replay> lightningSeedReplays();
std::span<const Replay> litdataReplays();
std::span<const Replay> llmcReplays();
std::span<const Replay> megatronReplays();
std::span<const Replay> mmdetReplays();
std::span<const Replay> monaiReplays();
std::span<const Replay> nanogptReplays();
std::span<const Replay> numpyGeneratorReplays();
std::span<const Replay> numpyReplays();
std::span<const Replay> olmoCoreReplays();
std::span<const Replay> paddleReplays();
std::span<const Replay> pythonReplays();
std::span<const Replay> streamingReplays();
std::span<const Replay> torchLoaderReplays();
std::span<const Replay> torchPrimitiveReplays();
std::span<const Replay> torchSamplerReplays();
std::span<const Replay> torchdataReplays();
std::span<const Replay> transformersReplays();
std::span<const Replay> trlReplays();
std::span<const Replay> twoStreamReplays();
std::span<const Replay> visionReplays();
std::span<const Replay> webDatasetReplays();
std::span<const Replay> yolov5Replays();

}  // namespace shardlens::selftest
