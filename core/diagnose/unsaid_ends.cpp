// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/verdicts.h"

#include <algorithm>

namespace shardlens {
namespace {

/// Whether this rank waited there for others.
bool waitsAlone(const Collective& collective, std::int64_t rank) {
  const Visit* const own = collective.visitOf(rank);
  return collective.members != nullptr && own != nullptr && own->isInside() && !collective.missingFor(*own).empty();
}

/// Whether others needed this rank there, and it never came.
bool leavesAlone(const Collective& collective, std::int64_t rank) {
  const Visit* const own = collective.visitOf(rank);
  if (collective.members == nullptr || own == nullptr || own->enter_ns >= 0 || own->is_lost) return false;
  return std::any_of(collective.visits.begin(), collective.visits.end(), [&](const Visit& other) {
    // A message may be sent and never taken. To an operation of a group all come that have not come to their end.
    return collective.key.isPair() ? other.isInside() : other.enter_ns >= 0;
  });
}

/// Records of it are missing, so that less of it is known than it did.
bool hasGaps(const RankTracker& rank) {
  return rank.state.has_gaps || rank.state.dropped > 0;
}

bool areOthersFurther(const RankTracker& own, const std::vector<RankTracker>& trackers) {
  return !own.ran_out && std::any_of(trackers.begin(), trackers.end(), [&](const RankTracker& other) {
    return other.state.steps_done > own.state.steps_done;
  });
}

}  // namespace

bool othersWentOn(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives) {
  const RankTracker& own = trackers[static_cast<std::size_t>(rank)];
  if (hasGaps(own)) return false;
  const bool are_alone = std::any_of(collectives.open().begin(), collectives.open().end(),
                                     [rank](const auto& one) { return leavesAlone(one.second, rank); });
  return are_alone || areOthersFurther(own, trackers);
}

bool isMissedBy(std::int64_t waiting, std::int64_t rank, const CollectiveTable& collectives) {
  return std::any_of(collectives.open().begin(), collectives.open().end(), [&](const auto& one) {
    const Visit* const own = one.second.members == nullptr ? nullptr : one.second.visitOf(rank);
    const Visit* const other = one.second.visitOf(waiting);
    return own != nullptr && other != nullptr && own->enter_ns < 0 && !own->is_lost && other->enter_ns >= 0;
  });
}

bool wasCutShort(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives) {
  const RankTracker& own = trackers[static_cast<std::size_t>(rank)];
  if (hasGaps(own)) return false;
  if (own.isLoading()) return true;
  const bool is_alone = std::any_of(collectives.open().begin(), collectives.open().end(),
                                    [rank](const auto& one) { return waitsAlone(one.second, rank); });
  return is_alone || othersWentOn(rank, trackers, collectives);
}

}  // namespace shardlens
