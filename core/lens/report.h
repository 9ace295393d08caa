// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/sample_counts.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/lens/lens.h"
#include "core/plan/diff.h"
#include "core/plan/plan.h"
#include "core/plan/rank_epoch.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// How a column compares with the first one.
enum class LensVerdict {
  Written,     ///< it is the first one
  Same,        ///< it deals the same batches, id for id
  Differs,     ///< it deals other batches
  Raises,      ///< it cannot run
  Unknown,     ///< its order is unknown
  Uncompared,  ///< it has an order, and the first one has none
  NotAsked,    ///< it could be planned, but was not
};

/// "written", "same", ...: stable.
std::string_view lensVerdictName(LensVerdict verdict);

/// Which batches of each column a report lists: those of the first ranks in the first steps.
constexpr std::int64_t kLensRanks = 4;
constexpr std::int64_t kLensSteps = 4;

/// A batch that a report lists.
struct LensBatch {
  Rank rank;
  Step step;
  std::vector<SampleIndex> samples;
  bool differs = false;  ///< from the first column's
};

/// One column, and what its plan says in the epoch. `column.error` also holds what only planning it raises.
struct JudgedColumn {
  LensColumn column;
  LensVerdict verdict = LensVerdict::NotAsked;
  std::shared_ptr<const EpochPlan> epoch;               ///< null unless LensQuestion::keep_epochs
  std::shared_ptr<const BatchDifferences> differences;  ///< from the first column; null unless both have an order
  std::optional<SampleComparison> samples;              ///< likewise, whatever their order
  std::int64_t batches = 0;                             ///< over all ranks
  std::int64_t steps = 0;                               ///< of the rank with the most
  std::int64_t fewest_steps = 0;                        ///< of the rank with the fewest
  std::int64_t items = 0;                               ///< in the batches, padding included
  std::int64_t distinct = 0;                            ///< different samples among them
  std::int64_t repeats = 0;                             ///< items that repeat a sample, but for those that repeat by
                                                        ///< design: padding, and batches of a whole copy of the model
  std::int64_t empty_batches = 0;                       ///< without a sample
  std::vector<LensBatch> first;                         ///< rank by rank

  /// Whether the column was planned: `batches`, `items` and `first` are known.
  [[nodiscard]] bool hasOrder() const;
};

/// The columns of one spec in one epoch.
struct LensReport {
  PipelineSpec spec;
  Epoch epoch;
  std::vector<JudgedColumn> columns;  ///< "as-written" first
};

/// What is asked of the lens.
struct LensQuestion {
  Epoch epoch;  ///< limited to the spec's epochs
  /// Whether the order of this column is computed; empty: every order. The first column's order always is.
  std::function<bool(const std::string& id)> wanted;
  bool keep_epochs = false;  ///< hands out each column's epoch: as many orders as columns are then in memory
};

/// Judges the columns of one spec in one epoch, one at a time, for callers that show each one as soon as it is known. A
/// spec with problems has one column that says so.
class LensJudge {
 public:
  /// `epoch` is brought inside the spec. `keep_epochs`: as in LensQuestion. `known`: this epoch of the same spec if the
  /// caller has computed it; it is then not computed again.
  LensJudge(const PipelineSpec& spec, Epoch epoch, bool keep_epochs, std::shared_ptr<const EpochPlan> known = {});

  [[nodiscard]] Epoch epoch() const { return epoch_; }
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }
  /// The column with its texts alone: judged only where it cannot be planned anyway.
  [[nodiscard]] JudgedColumn unasked(std::size_t column) const;
  /// Against the first column, which must be judged before the others. What a column raises is its own error. Fails
  /// with Cancelled alone, and can be asked again then.
  Result<JudgedColumn> judge(std::size_t column, const Work& work);

 private:
  /// What the others are compared with.
  struct First {
    std::optional<PipelineSpec> spec;
    std::shared_ptr<const EpochPlan> epoch;  ///< null when the first column has no order
    SampleContent samples;
  };
  Result<void> look(const std::shared_ptr<const EpochPlan>& epoch, bool is_first, JudgedColumn& judged,
                    const Work& work);
  Result<void> compare(const EpochPlan& epoch, JudgedColumn& judged, const Work& work) const;

  /// Of a column that is known already, or drawn now; null when that raises.
  Result<std::shared_ptr<const EpochPlan>> epochOf(LensColumn& column, const Work& work) const;

  PipelineSpec spec_;
  std::vector<LensColumn> columns_;
  Epoch epoch_;
  bool keep_epochs_;
  std::shared_ptr<const EpochPlan> known_;  ///< of spec_
  First first_;
};

/// Every column, judged against the first. What a column raises is its own error, also for the first one; a
/// spec with problems has one column that says so. Cancelled is the only error.
Result<LensReport> lensReport(const PipelineSpec& spec, const LensQuestion& question, const Work& work = {});

/// "the same samples in another order": against the first column; empty where they were not compared.
std::string relationText(const JudgedColumn& judged);
/// "the same samples in another order; 312 of 400 batches differ", "raises TypeError in trainer.fit(), before the first
/// batch": the verdict in one line; empty for columns that were not requested.
std::string verdictText(const JudgedColumn& judged);
/// "312 of 400 batches differ"; some must.
std::string differingText(const BatchDifferences& differences);
/// "first at rank 0, step 3"; empty where no batch differs.
std::string firstDifferenceText(const JudgedColumn& judged);

}  // namespace shardlens
