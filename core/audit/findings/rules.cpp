// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens {
namespace {

/// What the rules that judge an epoch by itself say of each audited epoch.
using FoundByEpoch = std::vector<std::vector<Finding>>;

const Finding* findCode(const std::vector<Finding>& findings, std::string_view code) {
  const auto found = std::ranges::find(findings, code, &Finding::code);
  return found == findings.end() ? nullptr : &*found;
}

std::vector<Finding> findingsOf(const Facts& facts) {
  std::vector<Finding> findings;
  for (const FindingRule rule : epochRules()) {
    if (facts.work().stopped()) return {};
    rule(facts, findings);
  }
  std::erase_if(findings, [](const Finding& finding) { return finding.is_proof; });
  return findings;
}

bool isWorse(const Finding& a, const Finding& b) {
  return std::pair(-static_cast<int>(a.severity), a.amount) > std::pair(-static_cast<int>(b.severity), b.amount);
}

/// A finding, and the audited epoch that it is about.
struct OfEpoch {
  Finding finding;
  std::size_t at = 0;
};

/// One finding of each code.
std::vector<OfEpoch> worstOf(const FoundByEpoch& found) {
  std::vector<OfEpoch> worst;
  for (std::size_t at = 0; at < found.size(); ++at) {
    for (const Finding& finding : found[at]) {
      const auto known =
          std::ranges::find_if(worst, [&](const OfEpoch& one) { return one.finding.code == finding.code; });
      if (known == worst.end()) {
        worst.push_back({finding, at});
      } else if (isWorse(finding, known->finding)) {
        *known = {finding, at};
      }
    }
  }
  return worst;
}

bool sayTheSame(const Finding& a, const Finding& b) {
  return a.message == b.message && a.title == b.title;
}

/// The list of epochs that the same finding in another epoch belongs to.
std::vector<std::int64_t>& placeOf(const Finding& same, const Finding& worst, words::Held& held) {
  if (sayTheSame(same, worst)) return same.why == worst.why ? held.holds : held.reasons;
  return same.where.ranks == worst.where.ranks ? held.numbers : held.ranks;
}

/// What the rules say of an epoch in sentences that name certain epochs; kept, since several findings ask for the same.
class Retold {
 public:
  explicit Retold(const Facts& first) : first_(first) {}

  const Finding* find(const std::string& code, std::size_t at, const std::vector<std::int64_t>& epochs) {
    auto& findings = told_[{at, epochs}];
    if (!findings) findings = findingsOf(first_.toldOf(at, epochs));
    return findCode(*findings, code);
  }

 private:
  const Facts& first_;
  std::map<std::pair<std::size_t, std::vector<std::int64_t>>, std::optional<std::vector<Finding>>> told_;
};

/// Names the epochs, where not all of them have the finding alike.
Finding named(const Facts& first, const FoundByEpoch& found, const OfEpoch& worst, Retold& retold) {
  Finding finding = worst.finding;
  words::Held held;
  held.planned = first.allEpochs();
  held.fewest = held.most = finding.amount;
  std::vector<std::int64_t> found_in;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Finding* same = findCode(found[i], finding.code);
    held.fewest = std::min(held.fewest, same == nullptr ? 0 : same->amount);
    if (same == nullptr) continue;
    placeOf(*same, worst.finding, held).push_back(first.report().coverage[i].epoch);
    found_in.push_back(first.report().coverage[i].epoch);
  }
  finding.epochs.clear();
  if (held.holds.size() == found.size()) return finding;
  if (found_in.size() < found.size()) finding.epochs = std::move(found_in);
  if (finding.topic != FindingTopic::Coverage) held.fewest = held.most;
  if (const Finding* told = retold.find(finding.code, worst.at, held.holds)) {
    finding.title = told->title;
    finding.message = told->message;
    finding.why = told->why;
  }
  finding.message = words::heldIn(finding.message, held);
  return finding;
}

bool isCounted(const Finding& finding) {
  using Topic = FindingTopic;
  return finding.topic == Topic::Coverage || finding.topic == Topic::Ranks || finding.topic == Topic::Steps ||
         finding.topic == Topic::Batches;
}

/// Whether it is about an epoch behind the audited ones, or before them: then it names the epoch.
bool isOfAnotherEpoch(const Facts& facts, const Finding& finding) {
  return finding.where.epoch && std::ranges::none_of(facts.report().coverage, [&](const Ledger& one) {
           return one.epoch == *finding.where.epoch;
         });
}

/// The schedule is followed through all epochs.
bool isOfSchedule(const Finding& finding) {
  return finding.where.field.starts_with("schedule");
}

/// What was counted in some epochs, and may differ in others, names them.
void nameScope(const Facts& first, std::vector<Finding>& findings) {
  if (first.countsForAll()) return;
  for (Finding& finding : findings) {
    if (!finding.is_proof && isCounted(finding) && !isOfSchedule(finding) && !isOfAnotherEpoch(first, finding))
      finding.message = words::countedIn(finding.message, first.epochsAudited());
  }
}

/// Each epoch is judged in sentences that name all audited ones, so that equal sentences mean equal findings.
void judgeLaterEpochs(const Facts& first, std::vector<Finding>& findings) {
  if (std::ranges::all_of(first.epochs().begin() + 1, first.epochs().end(), &AuditedEpoch::like_first)) return;
  std::vector<std::int64_t> all;
  for (const Ledger& one : first.report().coverage) all.push_back(one.epoch);
  FoundByEpoch found(first.epochs().size());
  found[0] = findingsOf(first.toldOf(0, all));
  for (std::size_t i = 1; i < found.size(); ++i) {
    found[i] = first.epochs()[i].like_first ? found[0] : findingsOf(first.toldOf(i, all));
  }
  Retold retold(first);
  for (const OfEpoch& worst : worstOf(found)) {
    Finding finding = named(first, found, worst, retold);
    const auto same = std::ranges::find(findings, finding.code, &Finding::code);
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
    } else {
      *same = std::move(finding);
    }
  }
}

}  // namespace

void addLaterEpochs(const Facts& first, std::vector<Finding>& findings) {
  judgeLaterEpochs(first, findings);
  nameScope(first, findings);
}

std::span<const FindingRule> findingRules() {
  using namespace findings;
  static constexpr auto kRules =
      std::to_array<FindingRule>({emptyRanks,          unequalBatches,     identicalRanks,
                                  missingSamples,      repeatedEpochs,     batchLargerThanSlice,
                                  partlyOverlapping,   paddingRepeats,     droppedBySampler,
                                  droppedByLoader,     collidingRankSeeds, collidingWorkerSeeds,
                                  collidingEpochSeeds, idleWorkers,        shortLastBatch,
                                  seedSweep,           wholeCoverage,      disjointRanks,
                                  distinctSeeds,       duplicatingWorkers, repeatedOnPurpose,
                                  unexplainedRepeats,  noBatches,          neverSeeded,
                                  emptyBatches,        unusedLists,        loaderLength,
                                  countedByWorker,     peersReadApart,     peersSeededApart,
                                  scheduleHangs,       restOfAccumulation, idleCalls});
  return kRules;
}

std::span<const FindingRule> epochRules() {
  using namespace findings;
  static constexpr auto kRules = std::to_array<FindingRule>(
      {emptyRanks, unequalBatches, identicalRanks, missingSamples, batchLargerThanSlice, partlyOverlapping,
       paddingRepeats, droppedBySampler, droppedByLoader, shortLastBatch, duplicatingWorkers, repeatedOnPurpose,
       unexplainedRepeats, noBatches, emptyBatches, loaderLength, countedByWorker, restOfAccumulation});
  return kRules;
}

}  // namespace shardlens
