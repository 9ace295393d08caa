// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/later_epochs.h"

#include <algorithm>
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

/// One finding of each code.
std::vector<Finding> worstOf(const FoundByEpoch& found) {
  std::vector<Finding> worst;
  for (const auto& of_epoch : found) {
    for (const Finding& finding : of_epoch) {
      const auto known = std::ranges::find(worst, finding.code, &Finding::code);
      if (known == worst.end()) {
        worst.push_back(finding);
      } else if (isWorse(finding, *known)) {
        *known = finding;
      }
    }
  }
  return worst;
}

/// Names the epochs, where not all of them have the finding alike.
void nameEpochs(const Facts& first, const FoundByEpoch& found, Finding& finding) {
  words::Held held;
  held.planned = first.plan().epochs();
  held.fewest = held.most = finding.amount;
  std::vector<std::int64_t> found_in;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Finding* same = findCode(found[i], finding.code);
    held.fewest = std::min(held.fewest, same == nullptr ? 0 : same->amount);
    if (same == nullptr) continue;
    auto& which = same->message == finding.message           ? held.holds
                  : same->where.ranks == finding.where.ranks ? held.numbers
                                                             : held.ranks;
    which.push_back(first.report().coverage[i].epoch);
    found_in.push_back(first.report().coverage[i].epoch);
  }
  finding.epochs.clear();
  if (held.holds.size() == found.size()) return;
  if (found_in.size() < found.size()) finding.epochs = std::move(found_in);
  if (finding.topic != FindingTopic::Coverage) held.fewest = held.most;
  finding.message = words::heldIn(finding.message, held);
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

/// What was counted in some epochs, and may differ in others, names them.
void nameScope(const Facts& first, std::vector<Finding>& findings) {
  if (first.countsForAll()) return;
  for (Finding& finding : findings) {
    if (!finding.is_proof && isCounted(finding) && !isOfAnotherEpoch(first, finding))
      finding.message = words::countedIn(finding.message, first.epochsAudited());
  }
}

void judgeLaterEpochs(const Facts& first, std::vector<Finding>& findings) {
  FoundByEpoch found(first.epochs().size());
  bool all_alike = true;
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (first.epochs()[i].like_first) continue;
    all_alike = false;
    found[i] =
        findingsOf(Facts(first.plan(), first.epochs(), i, first.loaderCutsBatches(), first.report(), first.work()));
  }
  if (all_alike) return;
  found[0] = findingsOf(first);
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (first.epochs()[i].like_first) found[i] = found[0];
  }
  std::vector<Finding> worst = worstOf(found);
  for (Finding& finding : worst) {
    nameEpochs(first, found, finding);
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

}  // namespace shardlens
