// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/text.h"

#include <algorithm>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

/// Whether all compared epochs deal the same batches: then the same samples are lost each time.
bool isFrozen(const Facts& facts) {
  const auto& same_as = facts.report().repeats.same_as;
  return same_as.size() > 1 && std::ranges::all_of(same_as, [](std::int64_t epoch) { return epoch == 0; });
}

/// A little that changes from epoch to epoch harms nobody.
Severity weigh(const Facts& facts, std::int64_t lost) {
  return facts.isMuch(lost) || isFrozen(facts) ? Severity::Warning : Severity::Info;
}

/// "Each rank's last batch has 3 of 8 samples", when that is so.
std::string shortBatchOf(const Facts& facts) {
  const std::int64_t batch = facts.spec().loader.batch_size;
  const std::vector<RankEpochShape>& ranks = facts.shape().ranks;
  const std::int64_t left = ranks.front().dropped;
  const bool alike = std::ranges::all_of(ranks, [left](const RankEpochShape& rank) { return rank.dropped == left; });
  const std::string who = facts.worldSize() == 1 ? "The last batch" : "Each rank's last batch";
  const bool one_batch = facts.loaderCutsBatches() && left > 0 && left < batch;
  return alike && one_batch ? who + " has " + grouped(left) + " of " + counted(batch, "sample")
                            : "Short last batches are dropped";
}

}  // namespace

void droppedBySampler(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t lost = facts.coverage().missing_by[MissingCause::CutBySampler];
  if (lost == 0) return;
  const auto division = facts.division();
  const bool is_tail = division && division->size % division->slices == lost;
  const std::string last = "the last " + (lost == 1 ? std::string("one") : grouped(lost)) + " of each epoch's order " +
                           (lost == 1 ? "reaches" : "reach") + " no rank";
  Finding finding = aboutSamples(facts, "samples-dropped-sampler", weigh(facts, lost), facts.coverage().missing_ids);
  finding.title = "The sampler drops " + counted(lost, "sample");
  finding.message = is_tail
                        ? grouped(division->size) + " is not a multiple of " + grouped(division->slices) + ": " + last
                        : "The sampler hands out only what divides evenly: " + grouped(lost) + " of " +
                              counted(facts.coverage().dataset_size, "sample") + (lost == 1 ? " reaches" : " reach") +
                              " no rank " + facts.epochsAlike();
  finding.message += "." + facts.neverRead();
  finding.why = "What does not divide evenly is cut.";
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

void droppedByLoader(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t lost = facts.coverage().missing_by[MissingCause::CutByLoader];
  if (lost == 0) return;
  Finding finding = aboutSamples(facts, "samples-dropped-loader", weigh(facts, lost), facts.coverage().missing_ids);
  finding.title = "The loader drops " + counted(lost, "sample");
  finding.message = shortBatchOf(facts) + ": " + counted(lost, "sample") + " per epoch " + (lost == 1 ? "goes" : "go") +
                    " unused." + facts.neverRead();
  finding.why = "loader.drop_last throws away a last batch that is not full.";
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
