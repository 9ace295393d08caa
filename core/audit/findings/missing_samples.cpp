// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

Finding missing(const Facts& facts, std::string code, Severity severity, std::int64_t samples,
                words::FindingWords words) {
  return toldOf(facts, std::move(code), severity, samples, facts.coverage().missing_ids, std::move(words));
}

Finding unread(const Facts& facts, std::int64_t samples) {
  const bool by_rank = facts.rankArgument() == "rank";
  Finding finding = missing(facts, by_rank ? "num-replicas-mismatch" : "samples-missing", Severity::Error, samples,
                            words::slicesNeverRead(facts.replicas(), facts.slicesRead(), lostOf(facts, samples)));
  finding.where.field = by_rank ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
  return finding;
}

Finding dividedTwice(const Facts& facts, std::int64_t samples) {
  return missing(facts, "samples-divided-twice", Severity::Error, samples,
                 words::dividedTwice(facts.claims().slices, facts.spec().sampler.type, lostOf(facts, samples)));
}

Finding ofDifferentOrders(const Facts& facts, std::int64_t samples) {
  Finding finding = missing(facts, "ranks-read-different-orders", Severity::Warning, samples,
                            words::differentOrders(lostOf(facts, samples)));
  finding.where.field = "seeds.rule";
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

Finding leftOut(const Facts& facts, std::int64_t samples) {
  const auto& by = facts.coverage().missing_by;
  const bool forgotten = by[MissingCause::WithoutWeight] > 0;
  Finding finding = missing(facts, "samples-left-out", forgotten ? Severity::Warning : Severity::Info, samples,
                            words::leftOut(by, numberAsked(facts), lostOf(facts, samples)));
  finding.where.field = fieldThatLeavesOut(facts, samples);
  return finding;
}

Finding skippedByCount(const Facts& facts, std::int64_t samples) {
  const std::string field = facts.fieldOf(&SamplerTraits::consumed);
  Finding finding = missing(facts, "samples-skipped", facts.isMuch(samples) ? Severity::Warning : Severity::Info,
                            samples, words::skippedByCount(field, lostOf(facts, samples)));
  finding.where.field = field;
  return finding;
}

Finding notExplained(const Facts& facts, std::int64_t samples) {
  const bool by_defect = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0;
  return missing(facts, "samples-missing-unexplained", Severity::Warning, samples,
                 words::missingUnexplained(by_defect, lostOf(facts, samples)));
}

/// Samples that the sampler was asked to leave out.
std::int64_t leftOutOnPurpose(const MissingCounts& by) {
  std::int64_t samples = 0;
  for (std::size_t i = 0; i < kMissingCauses; ++i) {
    if (words::isLeftOut(static_cast<MissingCause>(i))) samples += by.counts[i];
  }
  return samples;
}

}  // namespace

void missingSamples(const Facts& facts, std::vector<Finding>& findings) {
  const MissingCounts& by = facts.coverage().missing_by;
  if (const auto samples = by[MissingCause::RankThatNobodyIs]; samples > 0) findings.push_back(unread(facts, samples));
  if (const auto samples = by[MissingCause::DividedTwice]; samples > 0)
    findings.push_back(dividedTwice(facts, samples));
  if (const auto samples = by[MissingCause::DifferentOrders]; samples > 0)
    findings.push_back(ofDifferentOrders(facts, samples));
  if (const auto samples = leftOutOnPurpose(by); samples > 0) findings.push_back(leftOut(facts, samples));
  if (const auto samples = by[MissingCause::CountCarriedOver]; samples > 0)
    findings.push_back(skippedByCount(facts, samples));
  const std::int64_t unknown = by[MissingCause::ShuffleDefect] + by[MissingCause::NotExplained];
  if (unknown > 0) findings.push_back(notExplained(facts, unknown));
}

void wholeCoverage(const Facts& facts, std::vector<Finding>& findings) {
  bool once = true;
  for (const Ledger& coverage : facts.report().coverage) {
    const bool only_padding = coverage.repeats.total() == coverage.padding();
    if (coverage.dataset_size == 0 || coverage.missing > 0 || !only_padding) return;
    once = once && coverage.duplicated == 0;
  }
  Finding finding = told("ok-coverage", FindingTopic::Coverage, Severity::Info,
                         words::wholeCoverage(facts.coverage().dataset_size, once, facts.epochsAudited()));
  finding.is_proof = true;
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
