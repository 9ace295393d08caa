// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <optional>

namespace shardlens {

/// Which ranks wait for which at this moment, over all groups.
struct Waits {
  Ranks blocked;   ///< they only wait in an operation
  Ranks culprits;  ///< a blocked rank waits for them, and they are not blocked themselves; ascending
  Ranks done;      ///< a blocked rank waits for them, although they have said that they end; ascending
  /// Some are blocked in an operation that is not complete, and all others have finished. A rank that ended itself with
  /// an error has not: its launcher may end the job.
  bool none_can_go_on = false;
};
Waits waitsNow(const Evidence& evidence);

/// The blocked ranks that wait for one of these, or for a rank that does; ascending.
Ranks waitersFor(const Evidence& evidence, const Waits& waits, const Ranks& culprits);

/// Blocked ranks that wait for each other in a circle, so that none of them will ever continue; empty when there is
/// none. Means something only while no rank makes progress: an operation that runs at the same time as others does not
/// block a rank.
Ranks circleOf(const Evidence& evidence, const Waits& waits);

/// The one rank that all the others are waiting for.
std::optional<std::int64_t> waitingFor(const Evidence& evidence, const Waits& waits);

/// How long all ranks may make no progress before the job counts as stalled: three seconds (ten before the first
/// collective), or five times the usual time between collectives when that takes longer.
std::int64_t stallTime(const CollectiveTable& collectives);

/// No rank has made progress for that long, or a trace of another tool shows no more of it.
bool isStandingStill(const Evidence& evidence);

}  // namespace shardlens
