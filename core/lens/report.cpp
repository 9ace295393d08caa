// SPDX-License-Identifier: Apache-2.0
#include "core/lens/report.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/spec/validate.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace shardlens {
namespace {

/// Further readings are listed up to so many; beyond, every sample gets a count.
constexpr std::size_t kMostListed = std::size_t{1} << 20;

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

bool readAlike(const RankEpoch& a, const RankEpoch& b) {
  if (a.batches() != b.batches()) return false;
  Step step{0};
  while (step.value < a.batches() && sameBatch(a, b, step)) ++step;
  return step.value == a.batches();
}

/// Items beside padding of the ranks that read, batch for batch, what the first rank of their copy of the model reads.
Result<std::int64_t> readWithPeers(const EpochPlan& epoch, const PipelineSpec::World& world, const Work& work) {
  if (world.groups.ranksOfModel() == 1) return std::int64_t{0};
  std::map<std::int64_t, const RankEpoch*> first_of_copy;
  std::int64_t items = 0;
  for (const RankEpoch& rank : epoch.ranks) {
    if (work.stopped()) return cancelled();
    const RankEpoch* first = first_of_copy.try_emplace(world.dataParallelRankOf(rank.rank()), &rank).first->second;
    if (first != &rank && readAlike(*first, rank)) items += rank.handedOut() - std::ssize(rank.padding());
  }
  return items;
}

/// What the column's epoch hands out, and its counts.
Result<SampleContent> countSamples(const EpochPlan& epoch, JudgedColumn& judged, const Work& work) {
  auto samples = SampleContent::of(epoch, work.part(0, 0.8));
  if (!samples) return samples;
  const auto with_peers = readWithPeers(epoch, judged.column.spec->world, work.part(0.8, 1));
  if (!with_peers) return with_peers.error();
  judged.distinct = samples->distinct();
  judged.repeats = samples->repeats() - *with_peers;
  judged.empty_batches = samples->emptyBatches();
  return samples;
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

template <class Take>
void SampleContent::eachAgain(Take take) const {
  for (std::size_t i = 0; i < again_.size();) {
    std::size_t end = i + 1;
    while (end < again_.size() && again_[end] == again_[i]) ++end;
    take(again_[i], static_cast<std::int64_t>(end - i));
    i = end;
  }
  for (std::size_t sample = 0; sample < times_again_.size(); ++sample) {
    const auto id = static_cast<std::int64_t>(sample);
    if (times_again_[sample] > 0) take(id, many_.of(id, times_again_[sample]));
  }
}

namespace {

struct Readings {
  std::int64_t both = 0;
  std::int64_t lost = 0;
  std::int64_t added = 0;
};

/// First times come from the bits, further ones sample by sample.
Readings readingsOf(const SampleContent& first, const SampleContent& second) {
  Readings out;
  out.lost = first.without(second);
  out.added = second.without(first);
  out.both = first.distinct() - out.lost;
  first.eachAgain([&](std::int64_t sample, std::int64_t times) {
    if (second.has(sample)) {
      out.both += std::min(times, second.timesAgain(sample));
    } else {
      out.lost += times;
    }
  });
  return out;
}

}  // namespace

Result<SampleContent> SampleContent::of(const EpochPlan& epoch, const Work& work) {
  SampleContent content;
  std::int64_t items = 0;
  for (const RankEpoch& rank : epoch.ranks) {
    content.padding_ += static_cast<std::int64_t>(rank.padding().size());
    const auto steps = static_cast<std::size_t>(rank.batches());
    content.steps_.resize(std::max(content.steps_.size(), steps));
    for (std::size_t step = 0; step < steps; ++step) {
      items += content.add(rank, step) + 1;
      if (items < kItemsBetweenLooks) continue;
      if (work.stopped()) return cancelled();
      items = 0;
    }
  }
  std::ranges::sort(content.again_);
  return content;
}

std::int64_t SampleContent::add(const RankEpoch& rank, std::size_t step) {
  const RankEpoch::Range range = rank.batch(Step{static_cast<std::int64_t>(step)});
  SampleSum batch;
  for (std::int64_t k = range.first; k < range.last; ++k) {
    const std::int64_t sample = rank.sample(k);
    const auto id = static_cast<std::uint64_t>(sample);
    batch.add(sample);
    const std::size_t word = id / 64;
    if (word >= seen_.size()) seen_.resize(std::max(word + 1, 2 * seen_.size()));
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((seen_[word] & bit) != 0) again(sample);
    seen_[word] |= bit;
  }
  steps_[step] += batch.sum;
  all_.items += batch.items;
  all_.sum += batch.sum;
  batches_ += mixed(batch.sum ^ mixed(static_cast<std::uint64_t>(rank.rank().value) << 40 ^ step));
  if (batch.items == 0) ++empty_batches_;
  return batch.items;
}

void SampleContent::again(std::int64_t sample) {
  if (!times_again_.empty()) return countAgain(sample);
  again_.push_back(sample);
  if (again_.size() < kMostListed) return;
  for (const std::int64_t listed : again_) countAgain(listed);
  again_ = {};
}

void SampleContent::countAgain(std::int64_t sample) {
  const auto place = static_cast<std::size_t>(sample);
  if (place >= times_again_.size()) times_again_.resize(std::max(place + 1, 64 * seen_.size()));
  many_.add(sample, times_again_[place]);
}

std::int64_t SampleContent::distinct() const {
  std::int64_t count = 0;
  for (const std::uint64_t word : seen_) count += std::popcount(word);
  return count;
}

bool SampleContent::has(std::int64_t sample) const {
  const auto word = static_cast<std::size_t>(sample) / 64;
  return word < seen_.size() && (seen_[word] >> (static_cast<std::size_t>(sample) % 64) & 1) != 0;
}

std::int64_t SampleContent::timesAgain(std::int64_t sample) const {
  const auto place = static_cast<std::size_t>(sample);
  if (!times_again_.empty()) return place < times_again_.size() ? many_.of(sample, times_again_[place]) : 0;
  const auto listed = std::equal_range(again_.begin(), again_.end(), sample);
  return listed.second - listed.first;
}

std::int64_t SampleContent::without(const SampleContent& other) const {
  std::int64_t count = 0;
  for (std::size_t word = 0; word < seen_.size(); ++word) {
    count += std::popcount(seen_[word] & ~(word < other.seen_.size() ? other.seen_[word] : 0));
  }
  return count;
}

SampleComparison compareSamples(const SampleContent& first, const SampleContent& second, std::int64_t same_items) {
  SampleComparison out;
  out.same_samples = first.all() == second.all();
  out.same_steps = out.same_samples && first.steps() == second.steps();
  out.same_batches = out.same_samples && first.batches() == second.batches();
  out.only_first = first.without(second);
  out.only_second = second.without(first);
  const Readings readings = readingsOf(first, second);
  ReadingShares& shares = out.shares;
  shares.same = same_items;
  shares.moved = readings.both - same_items;
  shares.lost = readings.lost;
  shares.added = readings.added;
  shares.fewer = first.items() - readings.both - readings.lost;
  shares.repeated = second.items() - readings.both - readings.added;
  return out;
}

std::string comparisonText(const SampleComparison& comparison, bool same_batches) {
  if (same_batches) return worded("lens", "the same order");
  if (comparison.same_batches) return worded("lens", "the same samples in each batch, in another order");
  if (comparison.same_steps && comparison.shares.moved == 0)
    return worded("lens", "the same samples on the same ranks, beside batches without any");
  if (comparison.same_steps) return worded("lens", "the same samples in each step, but on other ranks");
  if (comparison.same_samples) return worded("lens", "the same samples in another order");
  if (comparison.only_first == 0 && comparison.only_second == 0)
    return worded("lens", "the same samples, some more often or less often");
  std::vector<std::string> parts;
  if (comparison.only_first > 0) parts.push_back(filled(worded("lens", "%1 left out"), grouped(comparison.only_first)));
  if (comparison.only_second > 0)
    parts.push_back(filled(worded("lens", "%1 that the design leaves out"), grouped(comparison.only_second)));
  return filled(worded("lens", "other samples: %1"), join(parts, ", "));
}

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
  auto samples = countSamples(*epoch, judged, work);
  if (!samples) return samples.error();
  first_ = {judged.column.spec, epoch, *std::move(samples)};
  return {};
}

Result<void> LensJudge::compare(const EpochPlan& epoch, JudgedColumn& judged, const Work& work) const {
  judged.differences = BatchDifferences::compute(epoch, *first_.epoch, work.part(0, 0.5));
  if (judged.differences == nullptr) return cancelled();
  const auto samples = countSamples(epoch, judged, work.part(0.5, 1));
  if (!samples) return samples.error();
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
