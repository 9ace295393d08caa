// SPDX-License-Identifier: Apache-2.0
#include "core/audit/audit.h"
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shardlens::words {
namespace {

/// The order is not known, `because` of something; a sentence. `has_readings`: how often samples are read is.
FindingWords orderNotKnown(const std::string& because, bool has_readings) {
  return {worded("findings", "The samples of each batch are not known"), capital(because),
          has_readings ? worded("findings",
                                "These counts are the same in every order. Nothing is said about what depends on the "
                                "order: which sample comes when, and whether epochs or ranks have equal batches.")
                       : worded("findings",
                                "These counts are the same in every order. Nothing is said about what depends on the "
                                "order: which samples a rank reads, how often, and what it shares with other ranks.")};
}

}  // namespace
}  // namespace shardlens::words

namespace shardlens {
namespace {

/// Rules about how many items and batches ranks have.
void judgeNumbers(const Facts& facts, std::vector<Finding>& findings) {
  using namespace findings;
  static constexpr auto kRules =
      std::to_array<FindingRule>({unequalBatches, batchLargerThanSlice, unusedLists, scheduleHangs, idleCalls});
  for (const FindingRule rule : kRules) rule(facts, findings);
  if (facts.loaderCutsBatches()) shortLastBatch(facts, findings);
}

/// Rules about how often samples are read.
void judgeReadings(const Facts& facts, std::vector<Finding>& findings) {
  using namespace findings;
  static constexpr auto kRules = std::to_array<FindingRule>(
      {emptyRanks, missingSamples, partlyOverlapping, paddingRepeats, droppedBySampler, droppedByLoader, wholeCoverage,
       disjointRanks, duplicatingWorkers, repeatedOnPurpose, unexplainedRepeats});
  for (const FindingRule rule : kRules) rule(facts, findings);
}

Ledger withoutIds(Ledger ledger) {
  ledger.missing_ids.clear();
  ledger.missing_ids_by = {};
  ledger.duplicated_ids.clear();
  ledger.padding_ids.clear();
  return ledger;
}

/// What is counted of an epoch.
struct Counted {
  EpochShape shape;
  Ledger ledger;
  Overlap ranks;
};

Result<Counted> count(const CountedPlan& plan, Epoch epoch, const Work& work) {
  auto shape = plan.stand_in.epochShape(epoch, work);
  if (!shape) return shape.error();
  Counted counted{*std::move(shape), {}, {}};
  counted.ledger.epoch = epoch.value;
  counted.ledger.dataset_size = plan.stand_in.spec().dataset.size;
  if (!plan.knowsReadings(counted.shape)) return counted;
  auto ledger = ledgerOf(plan.stand_in, epoch, work.part(0, 0.6));
  if (!ledger) return ledger.error();
  counted.ledger = withoutIds(*std::move(ledger));
  auto ranks = rankOverlap(plan.stand_in, epoch, counted.ledger.missing == 0, work.part(0.6, 1));
  if (!ranks) return ranks.error();
  counted.ranks = *std::move(ranks);
  std::iota(counted.ranks.same_as.begin(), counted.ranks.same_as.end(), std::int64_t{0});
  return counted;
}

bool areAlike(const Counted& a, const Counted& b) {
  Ledger ledger = b.ledger;
  ledger.epoch = a.ledger.epoch;
  return a.shape.ranks == b.shape.ranks && a.ledger == ledger && a.ranks.shared == b.ranks.shared;
}

/// Of epochs that are alike, from the first one on.
Result<std::vector<Counted>> countAlike(const CountedPlan& plan, const AuditOptions& options, const Work& work) {
  const std::int64_t first = std::clamp<std::int64_t>(options.first_epoch, 0, plan.stand_in.epochs() - 1);
  const std::int64_t epochs = std::clamp<std::int64_t>(options.epochs, 1, plan.stand_in.epochs() - first);
  std::vector<Counted> all;
  for (std::int64_t i = 0; i < epochs; ++i) {
    const auto share = [epochs](std::int64_t done) { return static_cast<double>(done) / static_cast<double>(epochs); };
    auto one = count(plan, Epoch{first + i}, work.part(share(i), share(i + 1)));
    if (!one) return one.error();
    if (i > 0 && !areAlike(all.front(), *one)) break;
    all.push_back(*std::move(one));
  }
  return all;
}

Finding orderFinding(const UnknownOrder& unknown) {
  Finding finding = told("order-not-known", FindingTopic::Coverage, Severity::Info,
                         words::orderNotKnown(unknown.why.message, unknown.has_readings));
  finding.where.field = unknown.why.place.field;
  finding.leaves_open = true;
  return finding;
}

}  // namespace

Result<AuditReport> auditCounts(const CountedPlan& counted, const AuditOptions& options, const Work& work) {
  auto all = countAlike(counted, options, work);
  if (!all) return all.error();
  const auto cuts = counted.stand_in.loaderCutsBatches({work.stop, {}});
  if (!cuts) return cuts.error();
  AuditReport report;
  report.all_epochs = counted.stand_in.epochs();
  report.ranks = all->front().ranks;
  report.lockstep = lockstep(all->front().shape);
  UnknownOrder unknown{counted.why, counted.knowsReadings(all->front().shape), {}};
  std::vector<AuditedEpoch> audited;
  for (Counted& one : *all) {
    report.coverage.push_back(std::move(one.ledger));
    report.steps.push_back(one.shape.steps);
    report.batches.push_back(lockstep(one.shape).batches);
    unknown.shapes.push_back(one.shape);
    audited.push_back({std::move(one.shape), true, std::move(one.ranks)});
  }
  if (const auto hang = schedule::hangOf(counted.stand_in, {work.stop, {}})) {
    report.hang = *hang;
  } else {
    report.not_followed = hang.error();
  }
  const Facts facts(counted.stand_in, audited, 0, *cuts, report, {work.stop, {}});
  std::vector<Finding> findings = {orderFinding(unknown)};
  judgeNumbers(facts, findings);
  if (unknown.has_readings) judgeReadings(facts, findings);
  if (work.stopped()) return cancelled();
  sortFindings(findings);
  report.findings = std::move(findings);
  if (!unknown.has_readings) report.coverage.clear();
  report.unknown_order = std::move(unknown);
  return report;
}

}  // namespace shardlens
