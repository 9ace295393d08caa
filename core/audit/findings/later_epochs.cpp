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

bool saysTheSame(const Finding& a, const Finding& b) {
  return a.message == b.message ||
         (a.amount > 0 && a.amount == b.amount && a.title == b.title && a.where.ranks == b.where.ranks);
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
  std::vector<std::int64_t> holds;
  std::vector<std::int64_t> other;
  std::int64_t fewest = finding.amount;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Finding* same = findCode(found[i], finding.code);
    fewest = std::min(fewest, same == nullptr ? 0 : same->amount);
    if (same == nullptr) continue;
    (saysTheSame(*same, finding) ? holds : other).push_back(first.report().coverage[i].epoch);
  }
  if (holds.size() == found.size()) return;
  const std::int64_t planned = first.plan().epochs();
  const bool counts_items = finding.topic == FindingTopic::Coverage;
  finding.message = words::heldIn(finding.message, words::epochsText(holds, planned),
                                  other.empty() ? std::string() : words::epochsText(other, planned),
                                  counts_items ? fewest : finding.amount, finding.amount);
}

}  // namespace

void addLaterEpochs(const Facts& first, std::vector<Finding>& findings) {
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

}  // namespace shardlens
