// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

Finding missing(const Facts& facts, std::string code, Severity severity) {
  Finding finding;
  finding.code = std::move(code);
  finding.severity = severity;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.samples = facts.coverage().missing_ids;
  return finding;
}

std::string missingOf(const Facts& facts) {
  return grouped(facts.coverage().missing) + " of " + counted(facts.coverage().dataset_size, "sample");
}

Finding unread(const Facts& facts, std::int64_t slices) {
  const bool by_rank = facts.rankArgument() == "rank";
  Finding finding = missing(facts, by_rank ? "num-replicas-mismatch" : "samples-missing", Severity::Error);
  finding.title =
      grouped(slices) + " of " + counted(facts.replicas(), "slice") + (slices == 1 ? " is" : " are") + " never read";
  finding.message = "The sampler divides by " + grouped(facts.replicas()) + ", and the ranks ask for " +
                    counted(facts.slicesRead(), "slice") + ": " + missingOf(facts) + " reach no rank " +
                    facts.epochsAlike() + ".";
  finding.why = "Each process takes the slice of its rank; a slice without a process is lost.";
  finding.where.field = by_rank ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
  return finding;
}

/// Why a sampler that knows no ranks leaves samples out on purpose; empty when it does not.
std::string choiceOf(const Facts& facts) {
  if (facts.takes(&SamplerTraits::indices)) return "they are not among the sampler's indices";
  if (facts.isOn(&SamplerTraits::replacement)) return "drawing with replacement leaves some out by chance";
  const auto number = facts.parameter(&SamplerTraits::num_samples);
  const auto* count = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  if (count != nullptr && *count < facts.spec().dataset.size) return "num_samples is " + grouped(*count);
  return {};
}

Finding leftOut(const Facts& facts, const std::string& choice) {
  Finding finding = missing(facts, "samples-left-out", Severity::Info);
  finding.title =
      counted(facts.coverage().missing, "sample") + (facts.coverage().missing == 1 ? " is" : " are") + " left out";
  finding.message =
      missingOf(facts) + " reach no rank in epoch " + grouped(facts.coverage().epoch) + ": " + choice + ".";
  finding.why = "The sampler was asked for it.";
  finding.where.field = "sampler.type";
  return finding;
}

bool onlyPaddingRepeats(const Ledger& coverage) {
  return coverage.duplicated == 0 || coverage.repeats.total() == coverage.padding();
}

}  // namespace

void missingSamples(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.coverage().missing == 0) return;
  const std::int64_t slices = facts.dealsToReplicas() ? facts.replicas() - facts.slicesRead() : 0;
  if (slices > 0) return findings.push_back(unread(facts, slices));
  const std::string choice = facts.dealsToReplicas() ? std::string() : choiceOf(facts);
  if (!choice.empty()) findings.push_back(leftOut(facts, choice));
}

void wholeCoverage(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  if (coverage.dataset_size == 0 || coverage.missing > 0 || !onlyPaddingRepeats(coverage)) return;
  const bool once = coverage.duplicated == 0;
  Finding finding;
  finding.code = "ok-coverage";
  finding.is_proof = true;
  finding.title = once ? "Every sample is read once" : "Every sample is read";
  finding.message = (coverage.dataset_size == 1 ? "The one sample is" : allOf(coverage.dataset_size) + " samples are") +
                    " handed out " + (once ? "exactly once " : "") + facts.epochsAlike() +
                    (once ? "." : "; only padding repeats.");
  finding.message[0] = static_cast<char>(std::toupper(finding.message[0]));
  finding.why = "Counted sample by sample over all ranks.";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
