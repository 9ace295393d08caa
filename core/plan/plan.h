// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/rank_epoch.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/validate.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace shardlens {
namespace sampling {
struct SamplerRule;
}

/// Counts of one rank in one epoch.
struct RankEpochShape {
  std::int64_t samples = 0;  ///< yielded by the sampler, with those that it adds
  std::int64_t added = 0;    ///< of these, only there so that slices or batches come out even
  std::int64_t batches = 0;  ///< steps of this rank
  std::int64_t dropped = 0;  ///< yielded by the sampler, thrown away by loader.drop_last
  /// Of its workers, those that drop a short batch of their own; 0 where the rank's batches are cut in another way.
  std::int64_t workers_dropping = 0;

  bool operator==(const RankEpochShape&) const = default;
};

/// Counts of every rank in one epoch: what pictures and verdicts need to know about it when they must not draw.
struct EpochShape {
  Epoch epoch;
  std::vector<RankEpochShape> ranks;  ///< by rank
  std::int64_t steps = 0;             ///< the largest number of batches that any rank has
  std::int64_t dropped = 0;           ///< yielded by samplers and thrown away by loader.drop_last, over all ranks
};

/// One epoch of every rank. A cheap value: the ranks share their orders.
struct EpochPlan {
  Epoch epoch;
  std::vector<RankEpoch> ranks;  ///< by rank

  /// Batches of the rank that has the most.
  [[nodiscard]] std::int64_t steps() const;
};

/// The epoch as a loop reads it that takes at most so many batches on each rank. Cancelled when `work` says so.
Result<EpochPlan> withAtMost(const EpochPlan& epoch, std::int64_t batches, std::int64_t dataset_size,
                             const Work& work = {});

/// The counts of an epoch that is drawn.
EpochShape shapeOf(const EpochPlan& drawn);

/// The answer for one spec: which sample goes to which rank, worker and step of every epoch. Immutable and safe to use
/// from any thread; orders are computed when first asked for and kept within a budget of memory.
class Plan {
 public:
  /// Fails with the first problem validate() finds, or the sampler's own error (the framework's exception, word for
  /// word). With `only`, what other ranks would raise does not count, and those ranks must not be asked for.
  static Result<Plan> make(PipelineSpec spec, std::optional<Rank> only = {});
  /// The same for a spec that was validated under sampling::catalogue(); it is not validated again.
  static Result<Plan> make(ValidSpec spec, std::optional<Rank> only = {});
  /// The same for a variant of another plan's spec: where they differ in `seeds` alone, equal keys mean equal orders,
  /// and the plans keep theirs together.
  static Result<Plan> make(PipelineSpec spec, const Plan& known);

  [[nodiscard]] const PipelineSpec& spec() const;
  /// Of the spec's sampler.
  [[nodiscard]] const sampling::SamplerRule& rule() const;
  [[nodiscard]] std::int64_t worldSize() const;
  [[nodiscard]] std::int64_t epochs() const;

  /// Whether shapes are known without drawing. Otherwise shape(), epochShape() and steps() draw the epoch's order once,
  /// keep what they counted, and fail as rankEpoch() does.
  [[nodiscard]] bool knowsShapes() const;
  /// O(1) where shapes are known. Asserts that rank and epoch are in range.
  [[nodiscard]] Result<RankEpochShape> shape(Epoch epoch, Rank rank, const Work& work = {}) const;
  /// The shapes of all ranks, and their sums.
  [[nodiscard]] Result<EpochShape> epochShape(Epoch epoch, const Work& work = {}) const;
  /// The largest number of batches that any rank has in this epoch: EpochShape::steps alone.
  [[nodiscard]] Result<std::int64_t> steps(Epoch epoch, const Work& work = {}) const;
  /// Whether loader.batch_size and loader.drop_last make the batches; false for samplers that yield batches themselves.
  /// Draws rank 0's first epoch.
  [[nodiscard]] Result<bool> loaderCutsBatches(const Work& work = {}) const;

  /// Computes the order if necessary, which blocks the caller. Cancelled, or Environment when memory does not
  /// suffice.
  Result<RankEpoch> rankEpoch(Epoch epoch, Rank rank, const Work& work = {}) const;
  /// All ranks, which know what is padding (RankEpoch::isPadding).
  Result<EpochPlan> epoch(Epoch epoch, const Work& work = {}) const;
  /// Which added items are no padding, for callers that draw rank by rank. Draws all ranks, one after the other.
  Result<FirstReadings> firstReadings(Epoch epoch, const Work& work = {}) const;
  /// How the rank reads `order`, which may replace the real one where only places matter.
  [[nodiscard]] RankEpoch rankEpochOver(OrderPtr order, Epoch epoch, Rank rank) const;

 private:
  [[nodiscard]] bool addsNothing(Epoch epoch) const;
  [[nodiscard]] Result<RankEpochShape> countedShape(Epoch epoch, Rank rank, const Work& work) const;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace shardlens
