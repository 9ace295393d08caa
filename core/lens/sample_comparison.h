// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/sample_counts.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"
#include "core/plan/sample_sums.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlens {

/// What an epoch hands out, in whatever order: a sum of 64-bit hashes for each step over all ranks, one over all
/// batches that depends on their ranks and steps, a bit for each sample, and how often samples are read again.
class SampleContent {
 public:
  /// One pass over the items in batches. Cancelled when `work` says so.
  static Result<SampleContent> of(const EpochPlan& epoch, const Work& work = {});

  [[nodiscard]] const std::vector<std::uint64_t>& steps() const { return steps_; }
  /// Of the whole epoch.
  [[nodiscard]] const SampleSum& all() const { return all_; }
  /// Of what each rank reads in each step; the order inside a batch does not change it.
  [[nodiscard]] std::uint64_t batches() const { return batches_; }
  [[nodiscard]] std::int64_t items() const { return all_.items; }
  /// Different samples among the items.
  [[nodiscard]] std::int64_t distinct() const;
  /// Batches without a sample.
  [[nodiscard]] std::int64_t emptyBatches() const { return empty_batches_; }
  /// Items that repeat a sample of this epoch, padding left out.
  [[nodiscard]] std::int64_t repeats() const { return items() - distinct() - padding_; }
  /// Samples that this epoch has and `other` does not have.
  [[nodiscard]] std::int64_t without(const SampleContent& other) const;
  [[nodiscard]] bool has(std::int64_t sample) const;
  /// How often a sample comes after its first time.
  [[nodiscard]] std::int64_t timesAgain(std::int64_t sample) const;
  /// Calls `take(sample, times)` for each sample that comes again.
  template <class Take>
  void eachAgain(Take take) const;

 private:
  std::int64_t add(const RankEpoch& rank, std::size_t step);
  void again(std::int64_t sample);
  void countAgain(std::int64_t sample);

  std::vector<std::uint64_t> steps_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::int64_t> again_;         ///< each further reading, sorted in the end; while they are few
  std::vector<std::uint16_t> times_again_;  ///< by sample; when they are many
  ManyTimes many_;                          ///< the counts that times_again_ cannot hold
  SampleSum all_;
  std::uint64_t batches_ = 0;
  std::int64_t padding_ = 0;
  std::int64_t empty_batches_ = 0;
};

/// What becomes of each reading of the first epoch in the second, and what the second reads beyond them: they add up to
/// the readings that either has.
struct ReadingShares {
  std::int64_t same = 0;      ///< in a batch that both have at the same rank and step
  std::int64_t moved = 0;     ///< in both, elsewhere
  std::int64_t fewer = 0;     ///< of samples that the second epoch reads too, but less often
  std::int64_t lost = 0;      ///< of samples that the second epoch never hands out
  std::int64_t repeated = 0;  ///< in the second epoch, beyond those of the first one and the first of an added sample
  std::int64_t added = 0;     ///< samples that the first epoch never hands out: their first readings

  [[nodiscard]] std::int64_t sum() const { return same + moved + fewer + lost + repeated + added; }
  bool operator==(const ReadingShares&) const = default;
};

/// How the samples of two epochs compare.
struct SampleComparison {
  bool same_batches = false;     ///< each batch has the same samples, each as often, perhaps in another order
  bool same_steps = false;       ///< each step has the same samples over all ranks, each as often
  bool same_samples = false;     ///< the whole epoch has
  std::int64_t only_first = 0;   ///< samples that the second epoch never hands out
  std::int64_t only_second = 0;  ///< and the first
  ReadingShares shares;
};

/// `same_items`: samples in batches that both epochs have at the same rank and step.
SampleComparison compareSamples(const SampleContent& first, const SampleContent& second, std::int64_t same_items);

/// "the same samples in another order", for the second epoch against the first one.
std::string comparisonText(const SampleComparison& comparison, bool same_batches);

}  // namespace shardlens
