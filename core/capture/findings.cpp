// SPDX-License-Identifier: Apache-2.0
#include "core/capture/findings.h"

#include "core/capture/capture_words.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace shardlens::capture {
namespace {

/// A sampler that has set_epoch, shuffles, and was read twice in the same epoch's order.
bool forgetsEpoch(const RankLoader& rank) {
  if (rank.passes.size() < 2 || !rank.loader.sampler) return false;
  const auto is_still = [](const PassFacts& pass) {
    return pass.has_set_epoch && pass.set_epoch_calls == 0 && pass.epoch == 0;
  };
  return rank.loader.sampler->value<bool>("shuffle").value_or(false) &&
         std::all_of(rank.passes.begin(), rank.passes.end(), is_still);
}

void setEpoch(const JobLoader& job, std::vector<std::string>& findings) {
  const bool forgets = std::any_of(job.ranks.begin(), job.ranks.end(), forgetsEpoch);
  if (forgets) findings.push_back(words::setEpochNeverCalled(job));
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
                 std::vector<std::string>& findings) {
  for (std::size_t index = 0; index < most; ++index) {
    std::map<std::pair<std::uint64_t, std::int64_t>, std::vector<std::int64_t>> by_print;
    for (const PassPrint* pass : passesAt(agreement, index)) {
      if (pass->samples > 0) by_print[{pass->print, pass->recorded}].push_back(pass->rank);
    }
    std::vector<std::vector<std::int64_t>> groups;
    for (const auto& [print, ranks] : by_print) {
      if (ranks.size() > 1) groups.push_back(ranks);
    }
    if (groups.empty()) continue;
    std::sort(groups.begin(), groups.end());
    findings.push_back(words::ranksReadTheSame(job, groups, static_cast<std::int64_t>(index)));
    return;
  }
}

/// Another number of batches before the sampler had no more, in the first pass where that is so.
void unequalCounts(const Agreement& agreement, std::size_t most, std::vector<std::string>& findings) {
  for (std::size_t index = 0; index < most; ++index) {
    std::map<std::int64_t, std::vector<std::int64_t>> by_count;
    for (const PassPrint* pass : passesAt(agreement, index)) {
      if (pass->exhausted) by_count[pass->drawn].push_back(pass->rank);
    }
    if (by_count.size() < 2) continue;
    findings.push_back(words::unequalBatches(by_count, static_cast<std::int64_t>(index)));
    return;
  }
}

}  // namespace

std::vector<std::string> findingsOf(const JobLoader& job, const Agreement& agreement) {
  std::vector<std::string> findings;
  std::size_t most = 0;
  for (const RankLoader& rank : job.ranks) most = std::max(most, rank.passes.size());
  setEpoch(job, findings);
  sameBatches(job, agreement, most, findings);
  unequalCounts(agreement, most, findings);
  return findings;
}

}  // namespace shardlens::capture
