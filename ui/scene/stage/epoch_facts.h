// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/diff.h"
#include "core/plan/plan.h"
#include "ui/state/epoch_outline.h"

#include <QtGlobal>

#include <cstdint>
#include <memory>
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

}  // namespace shardlens::ui
