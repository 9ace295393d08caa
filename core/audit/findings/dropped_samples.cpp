// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Whether every compared epoch has the order of the first: then the same samples are lost each time.
bool isFrozen(const Facts& facts) {
  const auto& same_as = facts.report().repeats.same_as;
  return std::all_of(same_as.begin(), same_as.end(), [](std::int64_t epoch) { return epoch == 0; });
}

/// A little that changes from epoch to epoch harms nobody.
Severity weigh(const Facts& facts, std::int64_t lost) {
  const bool much = lost * 100 >= facts.coverage().dataset_size;
  return much || isFrozen(facts) ? Severity::Warning : Severity::Info;
}

std::string fate(const Facts& facts, std::int64_t lost) {
  if (!isFrozen(facts)) return {};
  return lost == 1 ? " The order never changes, so it is never seen."
                   : " The order never changes, so they are never seen.";
}

Finding dropped(const Facts& facts, std::string code, std::int64_t lost) {
  Finding finding;
  finding.code = std::move(code);
  finding.severity = weigh(facts, lost);
  finding.where.epoch = facts.coverage().epoch;
  finding.where.samples = facts.coverage().missing_ids;
  return finding;
}

/// "Each rank's last batch has 3 of 8 samples", when that is so.
std::string shortBatchOf(const Facts& facts) {
  const std::int64_t batch = facts.spec().loader.batch_size;
  const std::vector<RankEpochShape>& ranks = facts.shape().ranks;
  const std::int64_t left = ranks.front().dropped;
  const bool alike = std::ranges::all_of(ranks, [left](const RankEpochShape& rank) { return rank.dropped == left; });
  const std::string who = facts.worldSize() == 1 ? "The last batch" : "Each rank's last batch";
  return alike ? who + " has " + grouped(left) + " of " + counted(batch, "sample") : "Short last batches are dropped";
}

}  // namespace

void droppedBySampler(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t size = facts.coverage().dataset_size;
  // A sampler that goes on from a saved state has handed the others out before.
  const bool deals_all = facts.dealsToReplicas() && !facts.takes(&SamplerTraits::consumed);
  if (!deals_all || !facts.isOn(&SamplerTraits::drop_last) || size < facts.replicas()) return;
  const std::int64_t lost = size % facts.replicas();
  if (lost == 0) return;
  Finding finding = dropped(facts, "samples-dropped-sampler", lost);
  finding.title = "The sampler drops " + counted(lost, "sample");
  finding.message = grouped(size) + " is not a multiple of " + grouped(facts.replicas()) + ": the last " +
                    (lost == 1 ? std::string("one") : grouped(lost)) + " of each epoch's order " +
                    (lost == 1 ? "reaches" : "reach") + " no rank." + fate(facts, lost);
  finding.why = "sampler.drop_last cuts the tail that does not divide evenly.";
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

void droppedByLoader(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t lost = facts.coverage().missing_by[MissingCause::CutByLoader];
  if (lost == 0 || facts.report().lockstep.fewest == 0 || !facts.loaderCutsBatches()) return;
  Finding finding = dropped(facts, "samples-dropped-loader", lost);
  finding.title = "The loader drops " + counted(lost, "sample");
  finding.message = shortBatchOf(facts) + ": " + counted(lost, "sample") + " an epoch " + (lost == 1 ? "goes" : "go") +
                    " unused." + fate(facts, lost);
  finding.why = "loader.drop_last throws away a last batch that is not full.";
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
