// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// "32 of 64 samples reach no rank in every epoch".
std::string reachNone(const Facts& facts, std::int64_t samples) {
  return grouped(samples) + " of " + counted(facts.coverage().dataset_size, "sample") +
         (samples == 1 ? " reaches" : " reach") + " no rank " + facts.epochsAlike();
}

Finding unread(const Facts& facts, std::int64_t samples) {
  const bool by_rank = facts.rankArgument() == "rank";
  const std::int64_t slices = facts.replicas() - facts.slicesRead();
  Finding finding = aboutSamples(facts, by_rank ? "num-replicas-mismatch" : "samples-missing", Severity::Error,
                                 facts.coverage().missing_ids);
  finding.title =
      grouped(slices) + " of " + counted(facts.replicas(), "slice") + (slices == 1 ? " is" : " are") + " never read";
  finding.message = "The sampler divides by " + grouped(facts.replicas()) + ", and the ranks ask for " +
                    counted(facts.slicesRead(), "slice") + ": " + reachNone(facts, samples) + ".";
  finding.why = "Each process takes the slice of its rank; a slice without a process is lost.";
  finding.where.field = by_rank ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
  return finding;
}

Finding dividedTwice(const Facts& facts, std::int64_t samples) {
  Finding finding = aboutSamples(facts, "samples-divided-twice", Severity::Error, facts.coverage().missing_ids);
  finding.title = "The dataset is divided twice";
  finding.message =
      "The sampler inside divides by " + grouped(facts.claims().slices) + ", and " + facts.spec().sampler.type +
      " divides what is left among the ranks once more: " + reachNone(facts, samples) + "." + facts.neverRead();
  finding.why = "Each rank gets a share of its own share. Leave the division to one of them.";
  return finding;
}

Finding ofDifferentOrders(const Facts& facts, std::int64_t samples) {
  Finding finding = aboutSamples(facts, "ranks-read-different-orders", Severity::Warning, facts.coverage().missing_ids);
  finding.title = "Ranks take shares of different orders";
  finding.message = "Each rank draws a different order and takes its share of it: " + reachNone(facts, samples) + "." +
                    facts.neverRead();
  finding.why = "Shares fit together only within one order, and the ranks draw one order only with equal seeds.";
  finding.where.field = "seeds.rule";
  return finding;
}

/// "40 were not drawn", by what the sampler was asked for.
struct Choice {
  MissingCause cause;
  const char* one;
  const char* many;
};

constexpr std::array kChoices = {
    Choice{MissingCause::NotAmongIndices, "is not among the sampler's indices", "are not among the sampler's indices"},
    Choice{MissingCause::OutsideSubset, "is outside the part that the sampler uses",
           "are outside the part that the sampler uses"},
    Choice{MissingCause::WeightZero, "has weight 0", "have weight 0"},
    Choice{MissingCause::WithoutWeight, "has no weight", "have no weight"},
    Choice{MissingCause::NotDrawn, "is not drawn", "are not drawn"},
    Choice{MissingCause::HandedOutBefore, "was read before the state was saved",
           "were read before the state was saved"},
    Choice{MissingCause::WaitingInBuffer, "waits for a batch of a later epoch", "wait for a batch of a later epoch"},
};

std::string numberAsked(const Facts& facts) {
  const auto number = facts.parameter(&SamplerTraits::num_samples);
  const auto* count = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  if (count == nullptr || *count >= facts.spec().dataset.size) return {};
  return " (num_samples is " + grouped(*count) + ")";
}

Finding leftOut(const Facts& facts) {
  std::int64_t samples = 0;
  std::vector<std::string> parts;
  for (const Choice& choice : kChoices) {
    const std::int64_t of_cause = facts.coverage().missing_by[choice.cause];
    if (of_cause == 0) continue;
    samples += of_cause;
    parts.push_back(grouped(of_cause) + " " + (of_cause == 1 ? choice.one : choice.many) +
                    (choice.cause == MissingCause::NotDrawn ? numberAsked(facts) : std::string()));
  }
  const bool forgotten = facts.coverage().missing_by[MissingCause::WithoutWeight] > 0;
  Finding finding = aboutSamples(facts, "samples-left-out", forgotten ? Severity::Warning : Severity::Info,
                                 facts.coverage().missing_ids);
  finding.title = counted(samples, "sample") + (samples == 1 ? " is" : " are") + " left out";
  finding.message = reachNone(facts, samples) + ": " + join(parts, ", ") + "." + facts.neverRead();
  finding.why = "The sampler does what its parameters ask for.";
  return finding;
}

Finding notExplained(const Facts& facts, std::int64_t samples) {
  Finding finding = aboutSamples(facts, "samples-missing-unexplained", Severity::Warning, facts.coverage().missing_ids);
  finding.title = counted(samples, "sample") + (samples == 1 ? " is" : " are") + " missing";
  finding.message = reachNone(facts, samples) + "." + facts.neverRead();
  finding.why = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0
                    ? "A known defect of the framework's shuffle leaves an index out and takes another one twice."
                    : "Nothing that ShardLens knows of this sampler explains it.";
  return finding;
}

}  // namespace

void missingSamples(const Facts& facts, std::vector<Finding>& findings) {
  const auto& by = facts.coverage().missing_by;
  if (const auto samples = by[MissingCause::RankThatNobodyIs]; samples > 0) findings.push_back(unread(facts, samples));
  if (const auto samples = by[MissingCause::DividedTwice]; samples > 0)
    findings.push_back(dividedTwice(facts, samples));
  if (const auto samples = by[MissingCause::DifferentOrders]; samples > 0)
    findings.push_back(ofDifferentOrders(facts, samples));
  const auto is_left_out = [&](const Choice& choice) { return by[choice.cause] > 0; };
  if (std::ranges::any_of(kChoices, is_left_out)) findings.push_back(leftOut(facts));
  const std::int64_t unknown = by[MissingCause::ShuffleDefect] + by[MissingCause::NotExplained];
  if (unknown > 0) findings.push_back(notExplained(facts, unknown));
}

void wholeCoverage(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  const bool only_padding = coverage.repeats.total() == coverage.padding();
  if (coverage.dataset_size == 0 || coverage.missing > 0 || !only_padding) return;
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
