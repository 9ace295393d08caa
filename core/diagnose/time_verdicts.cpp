// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/slow_words.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/verdicts.h"

#include <algorithm>

namespace shardlens {
namespace {

constexpr double kStarvedShare = 0.6;  ///< of what each rank's phases and operations took
constexpr double kLeastStarvedS = 2;
constexpr std::int64_t kFewestSteps = 20;
constexpr double kMessagesShare = 0.2;  ///< of the time of all ranks
constexpr double kLeastMessagesS = 1;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

/// What the rank does beside loading, as far as it is measured.
double otherSeconds(const RankState& rank) {
  return seconds(rank.compute_ns + rank.wait_ns + rank.transfer_ns);
}

bool isStarved(const RankState& rank) {
  const double load = seconds(rank.load_ns);
  return rank.is_measured && rank.steps_done >= kFewestSteps && load >= kLeastStarvedS &&
         load >= kStarvedShare * (load + otherSeconds(rank));
}

void addStarved(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  const auto& ranks = evidence.state.ranks;
  if (ranks.empty() || !std::all_of(ranks.begin(), ranks.end(), isStarved)) return;
  std::vector<double> load;
  std::vector<double> measured;
  double least = seconds(ranks.front().load_ns);
  for (const RankState& rank : ranks) {
    load.push_back(seconds(rank.load_ns));
    measured.push_back(load.back() + otherSeconds(rank));
    least = std::min(least, load.back());
  }
  const words::Starved starved{static_cast<std::int64_t>(ranks.size()), median(load), median(measured)};
  Verdict verdict = verdictOf(VerdictKind::Starved, -1, words::waitForData(starved));
  verdict.cost = starved.load_s / starved.measured_s;
  for (const double one : load) verdict.lost_s += one;
  verdict.gain_s = least;
  verdicts.push_back(std::move(verdict));
}

/// What ranks waited in collectives of which all members came: the verdicts of slow ranks speak of that.
double waitedInCollectives(const Evidence& evidence) {
  double ms = 0;
  for (const auto& [group, judgement] : evidence.judgements) ms += judgement.waited_ms;
  return ms / 1000;
}

bool saysWhoIsWaitedFor(const Verdict& verdict) {
  return verdict.kind == VerdictKind::Straggler || verdict.kind == VerdictKind::Wandering ||
         verdict.kind == VerdictKind::Paused || verdict.kind == VerdictKind::Stalled ||
         verdict.kind == VerdictKind::Mismatch || verdict.kind == VerdictKind::Dead;
}

void addMessages(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  if (evidence.is_stop_told || std::any_of(verdicts.begin(), verdicts.end(), saysWhoIsWaitedFor)) return;
  std::vector<const RankState*> ranks;
  double waited = 0;
  for (const RankState& rank : evidence.state.ranks) {
    if (rank.is_measured) ranks.push_back(&rank);
    waited += seconds(rank.wait_ns);
  }
  if (ranks.size() < 2) return;
  waited -= waitedInCollectives(evidence);
  const double time = seconds(evidence.state.elapsed_ns) * static_cast<double>(ranks.size());
  if (waited < std::max(kLeastMessagesS, kMessagesShare * time)) return;
  const auto waits_less = [](const RankState* a, const RankState* b) { return a->wait_ns < b->wait_ns; };
  const RankState& least = **std::min_element(ranks.begin(), ranks.end(), waits_less);
  const RankState& most = **std::max_element(ranks.begin(), ranks.end(), waits_less);
  Verdict verdict = verdictOf(VerdictKind::Wandering, -1,
                              words::waitInMessages({waited, waited / time, most.rank, seconds(most.wait_ns),
                                                     least.rank, seconds(least.wait_ns)}));
  verdict.cost = waited / time;
  verdict.lost_s = waited;
  verdicts.push_back(std::move(verdict));
}

}  // namespace

void addTimeSpent(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  addStarved(evidence, verdicts);
  addMessages(evidence, verdicts);
}

}  // namespace shardlens
