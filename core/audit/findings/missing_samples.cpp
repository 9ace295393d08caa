// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/readers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

Finding missing(const Facts& facts, std::string code, Severity severity, const MissingCauseSet& causes,
                words::FindingWords words) {
  const Ledger& judged = facts.coverage();
  return toldOf(facts, std::move(code), severity, judged.missingFor(causes), judged.missingIdsFor(causes),
                std::move(words));
}

Finding unread(const Facts& facts, const MissingCauseSet& causes) {
  const bool by_rank = facts.passesRank();
  const auto [fewest, most] = facts.replicas();
  const words::Lost lost = lostOf(facts, causes);
  Finding finding = missing(facts, by_rank ? "num-replicas-mismatch" : "samples-missing", Severity::Error, causes,
                            fewest == most ? words::slicesNeverRead(most, facts.slicesRead(), lost)
                                           : words::dividedDifferently(fewest, most, lost));
  finding.where.field = by_rank ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
  return finding;
}

Finding dividedTwice(const Facts& facts, const MissingCauseSet& causes) {
  return missing(facts, "samples-divided-twice", Severity::Error, causes,
                 words::dividedTwice(facts.claims().slices, facts.spec().sampler.type, lostOf(facts, causes)));
}

/// How many orders the ranks draw; 0 where each rank draws its own.
std::int64_t ordersOf(const Facts& facts) {
  const auto readers = ranksOf(facts.plan(), facts.epoch(), facts.worldSize());
  const auto orders = static_cast<std::int64_t>(groupByOrder(facts.plan(), readers).size());
  return orders == facts.worldSize() ? 0 : orders;
}

Finding ofDifferentOrders(const Facts& facts, const MissingCauseSet& causes) {
  Finding finding = missing(facts, "ranks-read-different-orders", Severity::Warning, causes,
                            words::differentOrders(ordersOf(facts), lostOf(facts, causes)));
  finding.where.field = facts.orderSeedField();
  return finding;
}

/// num_samples, where it asks for fewer than there are; otherwise 0.
std::int64_t numberAsked(const Facts& facts) {
  const auto number = facts.parameter(&SamplerTraits::num_samples);
  const auto* count = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  return count == nullptr || *count >= facts.spec().dataset.size ? 0 : *count;
}

/// The field that asks to leave out what these samples have in common; "sampler.type" where several have.
std::string fieldThatLeavesOut(const Facts& facts, std::int64_t samples) {
  const auto& by = facts.coverage().missing_by;
  if (by[MissingCause::HandedOutBefore] == samples) return facts.fieldOf(&SamplerTraits::consumed);
  if (by[MissingCause::NotAmongIndices] == samples) return facts.fieldOf(&SamplerTraits::indices);
  if (by[MissingCause::NotDrawn] == samples && numberAsked(facts) > 0)
    return facts.fieldOf(&SamplerTraits::num_samples);
  return "sampler.type";
}

Finding leftOut(const Facts& facts, const MissingCauseSet& causes) {
  const auto& by = facts.coverage().missing_by;
  const bool forgotten = by[MissingCause::WithoutWeight] > 0;
  Finding finding = missing(facts, "samples-left-out", forgotten ? Severity::Warning : Severity::Info, causes,
                            words::leftOut(by, numberAsked(facts), lostOf(facts, causes)));
  finding.where.field = fieldThatLeavesOut(facts, facts.coverage().missingFor(causes));
  if (facts.claims().is_recorded) finding.why = words::asRecorded();
  return finding;
}

Finding skippedByCount(const Facts& facts, const MissingCauseSet& causes) {
  const std::string field = facts.fieldOf(&SamplerTraits::consumed);
  const bool much = facts.isMuch(facts.coverage().missingFor(causes));
  Finding finding = missing(facts, "samples-skipped", much ? Severity::Warning : Severity::Info, causes,
                            words::skippedByCount(field, lostOf(facts, causes)));
  finding.where.field = field;
  return finding;
}

Finding notExplained(const Facts& facts, const MissingCauseSet& causes) {
  const bool by_defect = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0;
  return missing(facts, "samples-missing-unexplained", Severity::Warning, causes,
                 words::missingUnexplained(by_defect, lostOf(facts, causes)));
}

Finding noWholeStep(const Facts& facts, const MissingCauseSet& causes) {
  const std::string field = facts.fieldOf(&SamplerTraits::global_batch);
  const auto global = facts.parameter(&SamplerTraits::global_batch);
  const auto* samples = global ? std::get_if<std::int64_t>(&*global) : nullptr;
  Finding finding = missing(facts, "no-whole-step", Severity::Error, causes,
                            words::noWholeStep(field, samples == nullptr ? 0 : *samples, facts.dataParallelSize(),
                                               facts.spec().loader.batch_size, lostOf(facts, causes)));
  finding.where.field = field;
  return finding;
}

/// The causes of samples that the sampler was asked to leave out.
MissingCauseSet leftOutOnPurpose() {
  MissingCauseSet causes;
  for (std::size_t i = 0; i < kMissingCauses; ++i) causes[i] = words::isLeftOut(static_cast<MissingCause>(i));
  return causes;
}

}  // namespace

void missingSamples(const Facts& facts, std::vector<Finding>& findings) {
  using Tell = Finding (*)(const Facts& facts, const MissingCauseSet& causes);
  const std::array<std::pair<MissingCauseSet, Tell>, 7> kinds = {{
      {only(MissingCause::RankThatNobodyIs), unread},
      {only(MissingCause::NoWholeStep), noWholeStep},
      {only(MissingCause::DividedTwice), dividedTwice},
      {only(MissingCause::DifferentOrders), ofDifferentOrders},
      {leftOutOnPurpose(), leftOut},
      {only(MissingCause::CountCarriedOver), skippedByCount},
      {only(MissingCause::ShuffleDefect) | only(MissingCause::NotExplained), notExplained},
  }};
  for (const auto& [causes, tell] : kinds) {
    if (facts.coverage().missingFor(causes) > 0) findings.push_back(tell(facts, causes));
  }
}

void wholeCoverage(const Facts& facts, std::vector<Finding>& findings) {
  bool once = true;
  for (const Ledger& coverage : facts.report().coverage) {
    const bool only_padding = coverage.repeats.total() == coverage.padding();
    if (coverage.dataset_size == 0 || coverage.missing > 0 || !only_padding) return;
    once = once && coverage.duplicated == 0;
  }
  Finding finding = told("ok-coverage", FindingTopic::Coverage, Severity::Info,
                         words::wholeCoverage(facts.coverage().dataset_size, once,
                                              facts.dataParallelSize() < facts.worldSize(), facts.epochsAudited()));
  finding.is_proof = true;
  findings.push_back(std::move(finding));
}

namespace {

/// Whether all compared epochs deal the same batches: then the same samples are lost each time.
bool isFrozen(const Facts& facts) {
  const auto& same_as = facts.report().repeats.same_as;
  return same_as.size() > 1 &&
         std::ranges::all_of(same_as, [&](std::int64_t epoch) { return epoch == same_as.front(); });
}

/// A little that changes from epoch to epoch harms nobody.
Severity weigh(const Facts& facts, std::int64_t lost) {
  return facts.isMuch(lost) || isFrozen(facts) ? Severity::Warning : Severity::Info;
}

/// How many samples each rank's last batch has, where it is one short batch and the same on all; otherwise 0.
std::int64_t samplesLeft(const Facts& facts) {
  const std::vector<RankEpochShape>& ranks = facts.shape().ranks;
  const std::int64_t left = ranks.front().dropped;
  const bool alike = std::ranges::all_of(ranks, [left](const RankEpochShape& rank) { return rank.dropped == left; });
  return alike && facts.loaderCutsBatches() && left < facts.spec().loader.batch_size ? left : 0;
}

/// Nothing where no rank loses more than one short batch: that is what its loader drops.
std::optional<words::DroppingWorkers> droppingWorkers(const Facts& facts, const words::Lost& lost) {
  words::DroppingWorkers by{facts.worldSize(), facts.spec().loader.num_workers, 0, 0};
  bool several = false;
  for (const RankEpochShape& rank : facts.shape().ranks) {
    by.dropping += rank.workers_dropping;
    by.whole += rank.samples % facts.spec().loader.batch_size;
    several = several || rank.workers_dropping > 1;
  }
  if (facts.shape().dropped != lost.samples)
    by.whole = -1;  // some of what is dropped is read elsewhere, or dropped twice
  return several ? std::optional(by) : std::nullopt;
}

words::FindingWords loaderDrops(const Facts& facts, const words::Lost& lost) {
  if (facts.samplerListsBatches()) return words::lastBatchesDropped(lost);
  if (const auto by = droppingWorkers(facts, lost)) return words::droppedByWorkers(*by, lost);
  return words::droppedByLoader(facts.worldSize(), samplesLeft(facts), facts.spec().loader.batch_size, lost);
}

Finding dropped(const Facts& facts, std::string code, const MissingCauseSet& causes, words::FindingWords words) {
  const std::int64_t lost = facts.coverage().missingFor(causes);
  return toldOf(facts, std::move(code), weigh(facts, lost), lost, facts.coverage().missingIdsFor(causes),
                std::move(words));
}

}  // namespace

void droppedBySampler(const Facts& facts, std::vector<Finding>& findings) {
  const MissingCauseSet causes = only(MissingCause::CutBySampler);
  const std::int64_t lost = facts.coverage().missingFor(causes);
  if (lost == 0) return;
  const auto division = facts.division();
  const bool is_tail = division && division->size % division->slices == lost;
  Finding finding = dropped(
      facts, "samples-dropped-sampler", causes,
      words::droppedBySampler(is_tail ? division->size : 0, is_tail ? division->slices : 0, lostOf(facts, causes)));
  if (facts.isOn(&SamplerTraits::drop_last)) finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

void droppedByLoader(const Facts& facts, std::vector<Finding>& findings) {
  const MissingCauseSet causes = only(MissingCause::CutByLoader);
  if (facts.coverage().missingFor(causes) == 0) return;
  Finding finding = dropped(facts, "samples-dropped-loader", causes, loaderDrops(facts, lostOf(facts, causes)));
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
