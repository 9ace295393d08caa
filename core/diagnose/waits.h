// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <optional>

namespace shardlens {

/// Who waits for whom at this moment, over all groups.
struct Waits {
  Ranks blocked;   ///< they do nothing but wait in an operation
  Ranks culprits;  ///< somebody blocked waits for them, and they are not blocked themselves; ascending
  Ranks done;      ///< somebody blocked waits for them, although they have said good-bye; ascending
};
Waits waitsNow(const Evidence& evidence);

/// The blocked ranks that wait for one of these, or for a rank that does; ascending.
Ranks waitersFor(const Evidence& evidence, const Waits& waits, const Ranks& culprits);

/// Blocked ranks that wait for each other in a circle, so that none of them will ever go on; empty when there is none.
/// Means something only while no rank makes progress: an operation that runs beside others is no reason to stand still.
Ranks circleOf(const Evidence& evidence, const Waits& waits);

/// The one rank that all the others are waiting for.
std::optional<std::int64_t> waitingFor(const Evidence& evidence, const Waits& waits);

/// How long all ranks have to stand still before the job counts as stalled: three seconds (ten before the first
/// collective), or five times the usual time between collectives when that takes longer.
std::int64_t stallTime(const CollectiveTable& collectives);

/// No rank has made progress for that long.
bool isStandingStill(const Evidence& evidence);

}  // namespace shardlens
