// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/evidence.h"

#include "core/diagnose/statistics.h"

#include <algorithm>
#include <set>
#include <utility>

namespace shardlens {
namespace {

/// The members that blocked ranks wait for; asked once for each operation in which all wait for the same ones.
class MissingRanks {
 public:
  explicit MissingRanks(const Evidence& evidence) : evidence_(evidence) {}

  const Ranks& of(std::int64_t rank) {
    static const Ranks kNone;
    const Operation& operation = evidence_.tracker(rank).operations().front();
    const OperationKey key = keyOf(rank, operation);
    const Collective* collective = isJoinable(operation) ? evidence_.collectives.find(key) : nullptr;
    const Visit* visit = collective == nullptr ? nullptr : collective->visitOf(rank);
    if (visit == nullptr) return kNone;
    const bool is_alike = meetingOf(operation.op) == Meeting::All || key.isPair();
    const auto [place, is_new] = known_.try_emplace({collective, is_alike ? -1 : rank});
    if (is_new) place->second = missing(*collective, *visit);
    return place->second;
  }
  /// Whether the rank waits for one of `ranks`.
  bool waitsForOneOf(std::int64_t rank, const std::set<std::int64_t>& ranks) {
    return std::ranges::any_of(of(rank), [&ranks](std::int64_t one) { return ranks.contains(one); });
  }

 private:
  /// Also a stopped member that has come: it hands nothing on.
  [[nodiscard]] Ranks missing(const Collective& collective, const Visit& visit) const {
    Ranks ranks;
    for (const std::int64_t rank : collective.missingFor(visit)) {
      const bool is_seen = !evidence_.is_world_learned || evidence_.rank(rank).is_measured;
      if (is_seen && !isIn(rank, collective.key)) ranks.push_back(rank);
    }
    if (!ranks.empty() || collective.members == nullptr) return ranks;
    for (const Visit& other : collective.visits) {
      if (other.isInside() && evidence_.tracker(other.rank).isStopped()) ranks.push_back(other.rank);
    }
    return ranks;
  }
  /// Its slot says so, although its record was lost.
  [[nodiscard]] bool isIn(std::int64_t rank, const OperationKey& key) const {
    const auto& open = evidence_.tracker(rank).operations();
    return std::ranges::any_of(open, [&](const Operation& one) { return keyOf(rank, one) == key; });
  }

  const Evidence& evidence_;
  std::map<std::pair<const Collective*, std::int64_t>, Ranks> known_;
};

bool hasSaidBye(const Evidence& evidence, std::int64_t rank) {
  const RankEnd how = evidence.deaths.of(rank).how;
  return how == RankEnd::SaidBye || how == RankEnd::GaveUp;
}

/// `is_still`: no rank makes progress. Then a host that computes while its device is in an operation is taken to wait
/// for it; otherwise it may do that beside other work.
bool isBlocked(const Evidence& evidence, std::int64_t rank, bool is_still) {
  const RankTracker& tracker = evidence.tracker(rank);
  return (tracker.isBlocked() || (is_still && tracker.mayWaitForDevice())) && !evidence.hasEnded(rank);
}

/// A message that nobody else can complete.
bool isToItself(const OperationKey& key) {
  return key.isPair() && key.from == key.to;
}

}  // namespace

bool Waits::isBlocked(std::int64_t rank) const {
  return std::ranges::binary_search(blocked, rank);
}

Waits waitsNow(const Evidence& evidence) {
  Waits waits;
  MissingRanks missing(evidence);
  std::set<std::int64_t> culprits;
  std::set<std::int64_t> done;
  const bool is_still = isStandingStill(evidence);
  bool can_go_on = false;
  for (const RankTracker& tracker : evidence.trackers) {
    const std::int64_t rank = tracker.state.rank;
    if (!isBlocked(evidence, rank, is_still)) {
      can_go_on = can_go_on || evidence.deaths.of(rank).how != RankEnd::SaidBye;
      continue;
    }
    waits.blocked.push_back(rank);
    const Ranks& missed = missing.of(rank);
    can_go_on = can_go_on || (missed.empty() && !isToItself(keyOf(rank, tracker.operations().front())));
    for (const std::int64_t late : missed) {
      if (!isBlocked(evidence, late, is_still)) (hasSaidBye(evidence, late) ? done : culprits).insert(late);
    }
  }
  waits.culprits.assign(culprits.begin(), culprits.end());
  waits.done.assign(done.begin(), done.end());
  waits.none_can_go_on = !can_go_on && !waits.blocked.empty();
  return waits;
}

Ranks waitersFor(const Evidence& evidence, const Waits& waits, const Ranks& culprits) {
  MissingRanks missing(evidence);
  std::set<std::int64_t> awaited(culprits.begin(), culprits.end());
  std::set<std::int64_t> found;
  for (std::size_t before = SIZE_MAX; before != found.size();) {
    before = found.size();
    for (const std::int64_t rank : waits.blocked) {
      if (awaited.contains(rank) || !missing.waitsForOneOf(rank, awaited)) continue;
      awaited.insert(rank);
      found.insert(rank);
    }
  }
  return {found.begin(), found.end()};
}

Ranks circleOf(const Evidence& evidence, const Waits& waits) {
  MissingRanks missing(evidence);
  std::set<std::int64_t> left(waits.blocked.begin(), waits.blocked.end());
  // A rank that waits for no rank of the set may go on; the ranks left when all of those are taken out wait for each
  // other.
  while (std::erase_if(left, [&](std::int64_t rank) { return !missing.waitsForOneOf(rank, left); }) > 0) {
  }
  return {left.begin(), left.end()};
}

std::optional<std::int64_t> waitingFor(const Evidence& evidence, const Waits& waits) {
  if (evidence.state.status != JobStatus::Running || waits.culprits.size() != 1) return std::nullopt;
  const std::int64_t late = waits.culprits.front();
  const Ranks waiting = waitersFor(evidence, waits, {late});
  const bool all_wait = std::ranges::all_of(evidence.trackers, [&](const RankTracker& tracker) {
    const std::int64_t rank = tracker.state.rank;
    return rank == late || evidence.hasEnded(rank) || std::binary_search(waiting.begin(), waiting.end(), rank);
  });
  return all_wait ? std::optional(late) : std::nullopt;
}

std::int64_t stallTime(const CollectiveTable& collectives, const std::vector<RankTracker>& ranks) {
  constexpr double kNsInMs = 1e6;
  constexpr std::size_t kNewest = 200;
  constexpr std::int64_t kShortestNs = 3'000'000'000;
  constexpr std::int64_t kShortestAloneNs = 10'000'000'000;
  bool is_known = false;
  double longest = 0;
  for (const auto& [group, lost] : collectives.timeLost()) {
    const RowRange newest = lost.newest(kNewest);
    if (newest.size() < 2) continue;
    std::vector<double> intervals;
    for (std::size_t i = newest.begin; i < newest.end; ++i)
      intervals.push_back(lost.row(i).ms() / static_cast<double>(lost.row(i).collectives));
    is_known = true;
    longest = std::max(longest, median(std::move(intervals)));
  }
  if (!is_known) {
    constexpr std::size_t kFewest = 3;  // the first step may take long
    for (const RankTracker& rank : ranks) {
      if (rank.compute_ms.size() < kFewest) continue;
      longest = std::max(longest, rank.load_ms.median() + rank.compute_ms.median());
    }
  }
  return std::max(is_known ? kShortestNs : kShortestAloneNs, static_cast<std::int64_t>(5 * kNsInMs * longest));
}

bool isStandingStill(const Evidence& evidence) {
  if (evidence.is_at_end) return true;
  return evidence.state.status == JobStatus::Running &&
         evidence.now_ns - evidence.last_progress_ns >= stallTime(evidence.collectives, evidence.trackers);
}

}  // namespace shardlens
