// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// One bit for each batch of an epoch, ranks by steps, that counts any range of a rank in constant time. First set
/// bits, then seal(), then count.
class BatchBits {
 public:
  BatchBits() = default;
  BatchBits(std::int64_t ranks, std::int64_t steps);

  [[nodiscard]] bool isEmpty() const { return bits_.empty(); }
  void set(std::int64_t rank, std::int64_t step) {
    bits_[static_cast<std::size_t>(rank * words_ + step / 64)] |= std::uint64_t{1} << (step % 64);
  }
  /// Makes one rank's bits those of another.
  void copyRank(std::int64_t from, std::int64_t to);
  void seal();
  /// Bits of the rank in the steps [first, last); steps beyond the end have none.
  [[nodiscard]] std::int64_t count(std::int64_t rank, std::int64_t first, std::int64_t last) const;

 private:
  [[nodiscard]] std::int64_t before(std::int64_t rank, std::int64_t step) const;

  std::int64_t steps_ = 0;
  std::int64_t words_ = 0;             ///< of a rank
  std::vector<std::uint64_t> bits_;    ///< rank after rank, each on whole words
  std::vector<std::uint32_t> counts_;  ///< bits set in all words before this one, within the rank
};

/// Whether both ranks have a batch in this step, of the same samples in the same order.
bool sameBatch(const RankEpoch& a, const RankEpoch& b, Step step);

/// Which batches of an epoch differ in any id from those of another plan's epoch at the same rank and step. Immutable.
class BatchDifferences {
 public:
  struct Place {
    Rank rank;
    Step step;
  };

  /// One pass over the items of both. A batch that only one of them has differs. Null when stopped.
  static std::shared_ptr<const BatchDifferences> compute(const EpochPlan& epoch, const EpochPlan& reference,
                                                         const Work& work = {});

  /// How many batches of a rank in the steps [first, last) differ.
  [[nodiscard]] std::int64_t count(std::int64_t rank, std::int64_t first, std::int64_t last) const {
    return bits_.count(rank, first, last);
  }
  [[nodiscard]] std::int64_t batches() const { return batches_; }      ///< ranks and steps that either has
  [[nodiscard]] std::int64_t differing() const { return differing_; }  ///< of these
  /// Samples in the batches that are the same.
  [[nodiscard]] std::int64_t sameItems() const { return same_items_; }
  /// The earliest step that differs, and its lowest rank.
  [[nodiscard]] const std::optional<Place>& first() const { return first_; }

 private:
  BatchBits bits_;
  std::int64_t batches_ = 0;
  std::int64_t differing_ = 0;
  std::int64_t same_items_ = 0;
  std::optional<Place> first_;
};

/// A field that two specs hold differently, as the file would show it; empty where a spec has no such field.
struct FieldChange {
  std::string path;
  std::string before;
  std::string after;
};

/// Every field that differs, in the order of the file.
std::vector<FieldChange> changedFields(const PipelineSpec& before, const PipelineSpec& after);

/// Paths of the fields that differ and that the plan depends on: names and the timing of a run do not change it.
std::vector<std::string> planDifferences(const PipelineSpec& before, const PipelineSpec& after);

/// What changes in the data order of one epoch. A batch that only one plan has differs too.
struct EpochDiff {
  Epoch epoch;
  std::int64_t batches = 0;  ///< ranks and steps that either plan has
  std::int64_t differing = 0;

  struct First {
    Rank rank;
    Step step;
    std::optional<std::vector<SampleIndex>> before, after;  ///< none: that plan has no such batch
  };
  std::optional<First> first;  ///< the earliest step, and its lowest rank
};

/// Compares two plans epoch by epoch. Both outlive it.
class PlanDiff {
 public:
  PlanDiff(const Plan& before, const Plan& after);

  /// Reads both plans rank by rank, and holds no more orders than the plans keep themselves; if both specs ask for
  /// the same batches, it only counts them. Cancelled when `work` says so.
  [[nodiscard]] Result<EpochDiff> epoch(Epoch epoch, const Work& work = {}) const;

 private:
  const Plan& before_;
  const Plan& after_;
  bool alike_;                           ///< in every epoch that both have
  std::optional<std::int64_t> batches_;  ///< of each such epoch, where that is known without a look at it
};

}  // namespace shardlens
