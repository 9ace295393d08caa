// SPDX-License-Identifier: Apache-2.0
#include "core/capture/job_loaders.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace shardlens::capture {
namespace {

std::int64_t begunAt(const RankLoader& rank) {
  return rank.passes.front().time_ns;
}

/// From when until when the process of a rank is known to have lived, by the clock of its host.
std::pair<std::int64_t, std::int64_t> lifeOf(const ProcessFacts& process) {
  std::int64_t first = process.begun_ns;
  std::int64_t last = process.ended_ns;
  for (const PassFacts& pass : process.passes) {
    first = first == 0 ? pass.time_ns : std::min(first, pass.time_ns);
    last = std::max(last, pass.time_ns);
  }
  return {first, last};
}

/// Whether both processes lived at one time; false where that is not known, as on hosts with different clocks.
bool livedAtOnce(const ProcessFacts& a, const ProcessFacts& b) {
  const auto [a_first, a_last] = lifeOf(a);
  const auto [b_first, b_last] = lifeOf(b);
  return a.host == b.host && a_first < b_last && b_first < a_last;
}

bool anyTwice(const std::vector<RankLoader>& ranks) {
  std::set<std::int64_t> seen;
  return !std::all_of(ranks.begin(), ranks.end(),
                      [&seen](const RankLoader& rank) { return seen.insert(rank.rank).second; });
}

bool areAtOnce(const Start& a, const Start& b, const std::vector<ProcessFacts>& processes) {
  return std::any_of(a.ranks.begin(), a.ranks.end(), [&](const RankLoader& one) {
    return std::any_of(b.ranks.begin(), b.ranks.end(), [&](const RankLoader& other) {
      return livedAtOnce(processes[one.process], processes[other.process]);
    });
  });
}

void findAtOnce(std::vector<Start>& starts, const std::vector<ProcessFacts>& processes) {
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const bool at_once = areAtOnce(starts[i - 1], starts[i], processes);
    starts[i].at_once = starts[i].at_once || at_once;
    starts[i - 1].at_once = starts[i - 1].at_once || at_once;
  }
}

}  // namespace

std::string rendezvousOf(std::int64_t world_size, const ProcessFacts& process) {
  std::string text = std::to_string(world_size);
  for (const char* const name : {"MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"}) {
    const auto found = process.environment.find(name);
    text += "\n" + (found == process.environment.end() ? std::string() : found->second);
  }
  return text;
}

std::vector<Start> startsOf(std::vector<RankLoader> ranks, const std::vector<ProcessFacts>& processes) {
  if (!anyTwice(ranks)) return {Start{std::move(ranks)}};
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const RankLoader& a, const RankLoader& b) { return begunAt(a) < begunAt(b); });
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> times;  // how often a rank came in a rendezvous
  std::map<std::pair<std::string, std::int64_t>, std::size_t> place;   // of a rendezvous and how many-th
  std::vector<Start> starts;
  for (RankLoader& rank : ranks) {
    const std::string rendezvous = rendezvousOf(rank.world_size, processes[rank.process]);
    const std::int64_t time = times[{rendezvous, rank.rank}]++;
    const auto at = place.try_emplace({rendezvous, time}, starts.size());
    if (at.second) starts.emplace_back();
    starts[at.first->second].ranks.push_back(std::move(rank));
  }
  findAtOnce(starts, processes);
  return starts;
}

}  // namespace shardlens::capture
