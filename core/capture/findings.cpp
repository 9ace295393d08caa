// SPDX-License-Identifier: Apache-2.0
#include "core/capture/findings.h"

#include "core/capture/capture_words.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace shardlens::capture {
namespace {

/// The passes that are epochs: those that train, or where none does, those that were read to their end. Others only
/// look into an epoch.
std::vector<PassFacts> epochPasses(const RankLoader& rank) {
  const auto trains = [](const PassFacts& pass) { return pass.backwards > 0; };
  const bool any = std::any_of(rank.passes.begin(), rank.passes.end(), trains);
  std::vector<PassFacts> found;
  std::copy_if(rank.passes.begin(), rank.passes.end(), std::back_inserter(found),
               [&](const PassFacts& pass) { return any ? trains(pass) : pass.isReadWhole(); });
  return found;
}

/// A sampler that has set_epoch, shuffles, and was read several times in the order of one epoch.
bool hasOneEpoch(const RankLoader& rank, const std::vector<PassFacts>& passes) {
  if (passes.size() < 2 || !rank.loader.sampler) return false;
  const auto is_still = [&passes](const PassFacts& pass) {
    return pass.has_set_epoch && pass.epoch && pass.epoch == passes.front().epoch;
  };
  return rank.loader.sampler->value<bool>("shuffle").value_or(false) &&
         std::all_of(passes.begin(), passes.end(), is_still);
}

/// Whether the sampler was told its epoch before each of these passes.
bool wasToldEach(const std::vector<PassFacts>& passes) {
  const auto tells_no_more = [](const PassFacts& one, const PassFacts& next) {
    return next.set_epoch_calls <= one.set_epoch_calls;
  };
  return passes.front().set_epoch_calls > 0 &&
         std::adjacent_find(passes.begin(), passes.end(), tells_no_more) == passes.end();
}

void setEpoch(const JobLoader& job, std::vector<RunFinding>& findings) {
  for (const RankLoader& rank : job.ranks) {
    const std::vector<PassFacts> passes = epochPasses(rank);
    if (!hasOneEpoch(rank, passes)) continue;
    const auto count = static_cast<std::int64_t>(passes.size());
    const std::int64_t epoch = *passes.front().epoch;
    const bool never = passes.back().set_epoch_calls == 0 && epoch == 0;
    findings.push_back(
        {"run-epochs-repeat", "Every epoch has the same order",
         never ? words::setEpochNeverCalled(count) : words::setEpochSame(epoch, count, wasToldEach(passes))});
    return;
  }
}

/// The passes with this place on every rank.
std::vector<const PassPrint*> passesAt(const Agreement& agreement, std::size_t index) {
  std::vector<const PassPrint*> passes;
  for (const PassPrint& pass : agreement.passes) {
    if (pass.index == index) passes.push_back(&pass);
  }
  return passes;
}

/// Ranks that read the same batches in the first pass where any do.
void sameBatches(const JobLoader& job, const Agreement& agreement, std::size_t most,
                 std::vector<RunFinding>& findings) {
  for (std::size_t index = 0; index < most; ++index) {
    std::map<std::pair<std::uint64_t, std::int64_t>, std::vector<std::int64_t>> by_print;
    for (const PassPrint* pass : passesAt(agreement, index)) {
      if (pass->samples > 0 && !pass->is_opaque) by_print[{pass->print, pass->recorded}].push_back(pass->rank);
    }
    std::vector<std::vector<std::int64_t>> groups;
    for (const auto& [print, ranks] : by_print) {
      if (ranks.size() > 1) groups.push_back(ranks);
    }
    if (groups.empty()) continue;
    std::sort(groups.begin(), groups.end());
    findings.push_back({"run-ranks-share-samples", "Ranks read the same batches",
                        words::ranksReadTheSame(job, groups, static_cast<std::int64_t>(index))});
    return;
  }
}

/// Another number of batches before there were no more, or already more of them, in the first pass where that is so.
void unequalCounts(const Agreement& agreement, std::size_t most, std::vector<RunFinding>& findings) {
  for (std::size_t index = 0; index < most; ++index) {
    std::map<std::int64_t, std::vector<std::int64_t>> ended;
    std::map<std::int64_t, std::vector<std::int64_t>> going_on;
    for (const PassPrint* pass : passesAt(agreement, index))
      (pass->exhausted ? ended : going_on)[pass->drawn].push_back(pass->rank);
    if (ended.empty()) continue;
    going_on.erase(going_on.begin(), going_on.upper_bound(ended.begin()->first));
    if (ended.size() < 2 && going_on.empty()) continue;
    const auto place = static_cast<std::int64_t>(index);
    findings.push_back(
        {"run-unequal-batches", "Ranks have unequal numbers of batches",
         ended.size() > 1 ? words::unequalBatches(ended, place) : words::endedBefore(ended, going_on, place)});
    return;
  }
}

}  // namespace

std::vector<RunFinding> findingsOf(const JobLoader& job, const Agreement& agreement) {
  std::vector<RunFinding> findings;
  std::size_t most = 0;
  for (const RankLoader& rank : job.ranks) most = std::max(most, rank.passes.size());
  setEpoch(job, findings);
  const bool has_ids = job.datasets.ids == SampleIds::Positions || job.datasets.ids == SampleIds::Below;
  if (has_ids) sameBatches(job, agreement, most, findings);
  unequalCounts(agreement, most, findings);
  return findings;
}

}  // namespace shardlens::capture
