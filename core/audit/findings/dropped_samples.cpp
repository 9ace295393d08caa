// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

#include <algorithm>
#include <optional>

namespace shardlens::findings {

using sampling::SamplerTraits;

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
