// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/diff.h"
#include "core/plan/plan.h"
#include "ui/state/plan_service.h"
#include "ui/state/selection.h"

#include <QtGlobal>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// One batch of an epoch.
struct CellAddress {
  qint64 rank = 0;
  qint64 step = 0;
  bool operator==(const CellAddress&) const = default;
  bool operator<(const CellAddress& other) const { return rank != other.rank ? rank < other.rank : step < other.step; }
};

/// What only a pass over all items of an epoch can tell: which samples are handed out more than once, in which cells,
/// and how the dataset is covered while the playhead moves. Immutable; every question is answered in constant time.
class EpochFacts {
 public:
  /// Above this many samples duplicates are not looked for (the pass keeps one byte a sample).
  static constexpr qint64 kMostSamples = 200'000'000;
  /// The dataset strip is known for this many equal parts; smaller datasets have a part for each sample.
  static constexpr qint64 kParts = 2048;
  /// Coverage is kept at this many moments of an epoch, evenly spaced over its steps; shorter epochs keep every step.
  static constexpr qint64 kMoments = 512;

  /// The long part: one pass over all items, a second one when there are duplicates. Null when stopped.
  static std::shared_ptr<const EpochFacts> compute(const EpochPlan& epoch, qint64 dataset_size, const Work& work = {});

  /// Samples handed out more than once, by whichever rank. Padding is not counted: it repeats a sample on purpose and
  /// has a mark of its own.
  [[nodiscard]] bool isDuplicate(SampleIndex sample) const {
    return sample >= 0 && sample < std::ssize(times_) && (times_[sample] & kTimes) > 1;
  }
  [[nodiscard]] bool hasDuplicates() const { return has_duplicates_; }
  /// How many batches of a rank in the steps [first, last) hold at least one duplicate.
  [[nodiscard]] qint64 duplicateCells(qint64 rank, qint64 first, qint64 last) const {
    return duplicates_.count(rank, first, last);
  }

  /// The ranks that have such batches, and the first and the last step of each; by rank.
  [[nodiscard]] const std::vector<MarkedRank>& duplicateRanks() const { return duplicate_ranks_; }

  /// Distinct samples handed out when `steps` steps have been dealt; exact where seenIsExact(), else of a moment
  /// before.
  [[nodiscard]] qint64 seen(qint64 steps) const;
  [[nodiscard]] bool seenIsExact() const { return seen_stride_ == 1; }

  /// One part of the dataset at a moment: the share of its samples seen, and who took the newest of them (-1: nobody).
  /// Whether any sample is seen is exact; between two moments the share is interpolated.
  struct Part {
    double share = 0;
    qint64 rank = -1;
    bool duplicate = false;
    bool padding = false;
  };
  [[nodiscard]] qint64 parts() const { return parts_; }
  /// The samples [first, last) of a part.
  [[nodiscard]] SampleIndex partStart(qint64 part) const { return static_cast<SampleIndex>(part * size_ / parts_); }
  [[nodiscard]] Part part(qint64 part, qint64 steps) const;

 private:
  friend class FactsPass;

  qint64 size_ = 0;
  qint64 steps_ = 0;
  qint64 parts_ = 1;
  qint64 moments_ = 1;
  static constexpr std::uint8_t kTimes = 0x7F;  ///< the bits of times_ that count, up to 127
  static constexpr std::uint8_t kSeen = 0x80;   ///< seen at all, be it as padding

  std::vector<std::uint8_t> times_;  ///< by sample
  bool has_duplicates_ = false;
  BatchBits duplicates_;  ///< batches with at least one duplicate
  std::vector<MarkedRank> duplicate_ranks_;
  std::vector<qint64> seen_;  ///< [k] = distinct samples when k * seen_stride_ steps have been dealt
  qint64 seen_stride_ = 1;
  std::vector<std::uint32_t> covered_;         ///< [moment * parts + part] = distinct samples seen by its end
  std::vector<std::int32_t> takers_;           ///< likewise: the rank that took the newest
  std::vector<qint64> first_step_;             ///< by part: the step that takes its first sample, -1 = none does
  std::vector<std::int32_t> first_taker_;      ///< by part: the rank that does
  std::vector<std::int32_t> duplicate_since_;  ///< by part: the moment of its first repetition, -1 = never
  std::vector<std::int32_t> padding_since_;    ///< likewise for padding
};

/// Every batch that holds one of `samples`, sorted by rank and step; samples that nobody gets are simply not found.
/// Looks once through each distinct order. Stops early with what it has when `work` says so.
std::vector<CellAddress> findCells(const EpochPlan& epoch, const std::vector<SampleIndex>& samples,
                                   const Work& work = {});

/// Which items of an epoch are padding, and which batches hold some. A rank is looked through when it is first asked
/// for, and never again: frames cost what they draw. For any thread.
class EpochPadding {
 public:
  explicit EpochPadding(std::shared_ptr<const EpochPlan> epoch);

  struct OfRank {
    std::vector<qint64> items;  ///< ascending
    std::vector<qint64> steps;  ///< ascending
  };
  [[nodiscard]] const OfRank& of(qint64 rank) const;
  /// How many times a rank was looked through.
  [[nodiscard]] qint64 listed() const { return listed_; }

 private:
  std::shared_ptr<const EpochPlan> epoch_;
  std::unique_ptr<std::once_flag[]> known_;  ///< by rank
  mutable std::vector<OfRank> ranks_;
  mutable std::atomic<qint64> listed_ = 0;
};

/// One epoch as the Stage and the dataset strip draw it: the assignment and the world it belongs to. A cheap value.
struct StageInput {
  quint64 generation = 0;  ///< of the plan; another number means another picture
  std::shared_ptr<const EpochPlan> epoch;
  std::shared_ptr<const EpochPadding> padding;  ///< of that epoch; null without one
  std::shared_ptr<const EpochOutline> outline;  ///< likewise
  qint64 dataset_size = 0;
  qint64 epochs = 1;
  PipelineSpec::World world = {1, 1};
  qint64 workers = 0;
  IndexList labels;                                     ///< the class of each sample; may be empty
  qint64 steps = 0;                                     ///< batches of the rank that has most, in the plan beside too
  std::shared_ptr<const BatchDifferences> differences;  ///< from another plan, marked in the picture; may be null

  [[nodiscard]] bool isEmpty() const { return epoch == nullptr; }
  [[nodiscard]] qint64 ranks() const { return epoch ? std::ssize(epoch->ranks) : 0; }
  [[nodiscard]] qint64 epochNumber() const { return epoch ? epoch->epoch.value : 0; }
  /// Whether a rank has fewer steps than are shown.
  [[nodiscard]] bool isRagged() const { return outline != nullptr && outline->fewest_steps < steps; }
  /// The samples that the ranks [first, last) get in a step.
  [[nodiscard]] qint64 samplesOf(qint64 step, qint64 first, qint64 last) const {
    return outline->samplesOf(*epoch, Step{step}, first, last);
  }
  /// The ranks of a node, where rows stand apart by node; all ranks where nodes differ, which stand in one block.
  [[nodiscard]] qint64 blockSize() const { return world.ranks_per_node.ofEveryNode().value_or(world.size()); }
  [[nodiscard]] bool hasLabels() const { return !labels.empty(); }
  /// The class of a sample; -1 where it has none.
  [[nodiscard]] qint64 labelOf(SampleIndex sample) const {
    return sample >= 0 && sample < static_cast<qint64>(labels.size()) ? labels[static_cast<std::size_t>(sample)] : -1;
  }
  /// Where a sample stands in the dataset, 0..1.
  [[nodiscard]] double placeOf(SampleIndex sample) const {
    return static_cast<double>(sample) / static_cast<double>(std::max<qint64>(dataset_size - 1, 1));
  }
};

/// Without the outline of the epoch, it is made here: that looks through all ranks.
StageInput stageInput(quint64 generation, const PipelineSpec& spec, std::shared_ptr<const EpochPlan> epoch,
                      std::shared_ptr<const EpochOutline> outline = nullptr);

/// The batch that is selected, where this epoch has it.
std::optional<CellAddress> selectedCell(const Selected& selected, const StageInput& input);
/// The ranks that are selected without a step: one by its name, several by what they share.
std::vector<qint64> selectedRanks(const Selected& selected, const StageInput& input);
/// The samples whose cells are marked; none when there are too many to tell apart.
std::vector<SampleIndex> selectedSamples(const Selected& selected, qint64 dataset_size);

/// The batches of ranks `a` and `b` that hold a sample which both of them get in this epoch, sorted by rank and step.
/// One pass over the items of each; for a worker. Empty when stopped, when there is no such rank, and when both are
/// one.
std::vector<CellAddress> sharedCells(const EpochPlan& epoch, qint64 dataset_size, qint64 a, qint64 b,
                                     const Work& work = {});

}  // namespace shardlens::ui
