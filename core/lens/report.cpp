// SPDX-License-Identifier: Apache-2.0
#include "core/lens/report.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/validate.h"

#include <algorithm>
#include <utility>

namespace shardlens {
namespace {

/// A spec with problems has one column that says so.
std::vector<LensColumn> columnsOf(const PipelineSpec& spec) {
  const Issues issues = validate(spec, sampling::catalogue());
  if (issues.empty()) return lensColumns(spec);
  LensColumn column;
  column.id = "as-written";
  column.title = worded("lens", "As written");
  column.sampler = spec.sampler.type;
  column.makes = worded("lens", "The design has an error.");
  column.error = issues.front();
  return {std::move(column)};
}

void raise(LensColumn& column, Error error, std::string when) {
  if (column.when.empty() && !error.raised.empty()) column.when = std::move(when);
  column.error = std::move(error);
}

/// The column's epoch; null when planning it raises, which is then the column's own error. Fails with Cancelled alone.
Result<std::shared_ptr<const EpochPlan>> drawnEpoch(LensColumn& column, Epoch epoch, const Work& work) {
  const auto plan = Plan::make(*column.spec);
  if (!plan) {
    raise(column, plan.error(), worded("lens", "when the sampler is created"));
    return std::shared_ptr<const EpochPlan>();
  }
  auto drawn = plan->epoch(Epoch{std::min(epoch.value, plan->epochs() - 1)}, work.part(0, 0.9));
  if (drawn && column.first_batches > 0) {
    drawn = withAtMost(*drawn, column.first_batches, column.spec->dataset.size, work.part(0.9, 1));
  }
  if (drawn) return std::make_shared<const EpochPlan>(*std::move(drawn));
  if (drawn.error().code == ErrorCode::Cancelled) return drawn.error();
  raise(column, drawn.error(), worded("lens", "while the epoch is read"));
  return std::shared_ptr<const EpochPlan>();
}

bool differsFrom(const EpochPlan* first, const RankEpoch& items, Step step) {
  if (first == nullptr) return false;
  const std::int64_t rank = items.rank().value;
  return rank >= std::ssize(first->ranks) || !sameBatch(first->ranks[static_cast<std::size_t>(rank)], items, step);
}

/// The batches of the ranks and steps that are listed, marked where the first column has others.
void listFirst(const EpochPlan& epoch, const EpochPlan* first, JudgedColumn& judged) {
  const auto ranks = std::min<std::size_t>(epoch.ranks.size(), static_cast<std::size_t>(kLensRanks));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const RankEpoch& items = epoch.ranks[rank];
    for (Step step{0}; step.value < std::min(items.batches(), kLensSteps); ++step) {
      judged.first.push_back({items.rank(), step, items.batchSamples(step), differsFrom(first, items, step)});
    }
  }
}

void countItems(const EpochPlan& epoch, JudgedColumn& judged) {
  for (const RankEpoch& rank : epoch.ranks) {
    judged.batches += rank.batches();
    judged.items += rank.handedOut();
  }
  judged.steps = epoch.steps();
  judged.fewest_steps = std::ranges::min(epoch.ranks, {}, &RankEpoch::batches).batches();
}

LensVerdict verdictOn(const JudgedColumn& judged, bool is_first) {
  const std::optional<Error>& error = judged.column.error;
  const bool unknown = error && (error->code == ErrorCode::Unsupported || error->code == ErrorCode::Environment);
  if (error) return unknown ? LensVerdict::Unknown : LensVerdict::Raises;
  if (is_first) return LensVerdict::Written;
  if (judged.differences == nullptr) return LensVerdict::Uncompared;
  return judged.differences->differing() == 0 ? LensVerdict::Same : LensVerdict::Differs;
}

std::string errorVerdict(const LensColumn& column) {
  const Error& error = *column.error;
  if (error.code == ErrorCode::Environment) return worded("lens", "too much for this machine");
  const std::string what =
      error.raised.empty() ? worded("lens", "cannot be planned") : filled(worded("lens", "raises %1"), error.raised);
  return column.when.empty() ? what : filled(worded("lens", "%1 %2"), what, column.when);
}

std::string differenceText(const JudgedColumn& judged) {
  return filled(worded("lens", "%1; %2"), relationText(judged), differingText(*judged.differences));
}

}  // namespace

std::string_view lensVerdictName(LensVerdict verdict) {
  switch (verdict) {
    case LensVerdict::Written:
      return "written";
    case LensVerdict::Same:
      return "same";
    case LensVerdict::Differs:
      return "differs";
    case LensVerdict::Raises:
      return "raises";
    case LensVerdict::Unknown:
      return "unknown";
    case LensVerdict::Uncompared:
      return "uncompared";
    case LensVerdict::NotAsked:
      break;
  }
  return "not asked";
}

bool JudgedColumn::hasOrder() const {
  return verdict == LensVerdict::Written || verdict == LensVerdict::Same || verdict == LensVerdict::Differs ||
         verdict == LensVerdict::Uncompared;
}

LensJudge::LensJudge(const PipelineSpec& spec, Epoch epoch, bool keep_epochs, std::shared_ptr<const EpochPlan> known)
    : spec_(spec),
      columns_(columnsOf(spec)),
      epoch_{std::clamp<std::int64_t>(epoch.value, 0, std::max<std::int64_t>(spec.epochs, 1) - 1)},
      keep_epochs_(keep_epochs),
      known_(known != nullptr && known->epoch == epoch_ ? std::move(known) : nullptr) {}

Result<std::shared_ptr<const EpochPlan>> LensJudge::epochOf(LensColumn& column, const Work& work) const {
  if (column.first_batches == 0) {
    if (first_.epoch && column.spec == first_.spec) return first_.epoch;
    if (known_ && column.spec == spec_) return known_;
  }
  return drawnEpoch(column, epoch_, work);
}

JudgedColumn LensJudge::unasked(std::size_t column) const {
  JudgedColumn judged;
  judged.column = columns_[column];
  if (judged.column.error) judged.verdict = verdictOn(judged, column == 0);
  return judged;
}

Result<JudgedColumn> LensJudge::judge(std::size_t column, const Work& work) {
  const bool is_first = column == 0;
  JudgedColumn judged = unasked(column);
  if (!judged.column.error) {
    const auto epoch = epochOf(judged.column, work.part(0, 0.6));
    if (!epoch) return epoch.error();
    if (*epoch) {
      if (auto looked = look(*epoch, is_first, judged, work.part(0.6, 1)); !looked) return looked.error();
    }
  }
  judged.verdict = verdictOn(judged, is_first);
  return judged;
}

Result<void> LensJudge::look(const std::shared_ptr<const EpochPlan>& epoch, bool is_first, JudgedColumn& judged,
                             const Work& work) {
  countItems(*epoch, judged);
  listFirst(*epoch, first_.epoch.get(), judged);
  if (keep_epochs_) judged.epoch = epoch;
  if (!is_first) return first_.epoch ? compare(*epoch, judged, work) : Result<void>();
  auto samples = SampleContent::of(*epoch, work);
  if (!samples) return samples.error();
  judged.distinct = samples->distinct();
  judged.repeats = samples->repeats();
  judged.empty_batches = samples->emptyBatches();
  first_ = {judged.column.spec, epoch, *std::move(samples)};
  return {};
}

Result<void> LensJudge::compare(const EpochPlan& epoch, JudgedColumn& judged, const Work& work) const {
  judged.differences = BatchDifferences::compute(epoch, *first_.epoch, work.part(0, 0.5));
  if (judged.differences == nullptr) return cancelled();
  const auto samples = SampleContent::of(epoch, work.part(0.5, 1));
  if (!samples) return samples.error();
  judged.distinct = samples->distinct();
  judged.repeats = samples->repeats();
  judged.empty_batches = samples->emptyBatches();
  judged.samples = compareSamples(first_.samples, *samples, judged.differences->sameItems());
  return {};
}

Result<LensReport> lensReport(const PipelineSpec& spec, const LensQuestion& question, const Work& work) {
  LensJudge judge(spec, question.epoch, question.keep_epochs);
  LensReport report{spec, judge.epoch(), {}};
  const auto all = static_cast<double>(judge.columns());
  for (std::size_t column = 0; column < judge.columns(); ++column) {
    JudgedColumn unasked = judge.unasked(column);
    const bool wanted = column == 0 || !question.wanted || question.wanted(unasked.column.id);
    const auto done = static_cast<double>(column);
    auto judged = wanted ? judge.judge(column, work.part(done / all, (done + 1) / all)) : Result(std::move(unasked));
    if (!judged) return judged.error();
    if (work.stopped()) return cancelled();
    report.columns.push_back(*std::move(judged));
  }
  return report;
}

std::string relationText(const JudgedColumn& judged) {
  if (!judged.samples) return {};
  return comparisonText(*judged.samples, judged.verdict == LensVerdict::Same);
}

std::string verdictText(const JudgedColumn& judged) {
  switch (judged.verdict) {
    case LensVerdict::Written:
      return worded("lens", "the reference");
    case LensVerdict::Same:
      return worded("lens", "the same order, batch for batch");
    case LensVerdict::Differs:
      return differenceText(judged);
    case LensVerdict::Raises:
      return errorVerdict(judged.column);
    case LensVerdict::Unknown:
      return judged.column.error->code == ErrorCode::Environment ? errorVerdict(judged.column)
                                                                 : worded("lens", "not modelled");
    case LensVerdict::Uncompared:
      return filled(worded("lens", "%1, with no reference to compare with"), wordedCount(judged.batches, "batch"));
    case LensVerdict::NotAsked:
      break;
  }
  return {};
}

std::string differingText(const BatchDifferences& differences) {
  const std::string batches = wordedCount(differences.batches(), "batch");
  if (differences.differing() == differences.batches()) {
    return differences.batches() == 1 ? worded("lens", "the only batch differs")
                                      : filled(worded("lens", "all %1 differ"), batches);
  }
  const std::string differing = grouped(differences.differing());
  return differences.differing() == 1 ? filled(worded("lens", "%1 of %2 differs"), differing, batches)
                                      : filled(worded("lens", "%1 of %2 differ"), differing, batches);
}

std::string firstDifferenceText(const JudgedColumn& judged) {
  if (judged.differences == nullptr || !judged.differences->first()) return {};
  const BatchDifferences::Place first = *judged.differences->first();
  return filled(worded("lens", "first at rank %1, step %2"), grouped(first.rank.value), grouped(first.step.value));
}

}  // namespace shardlens
