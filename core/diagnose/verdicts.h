// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/rank_tracker.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// Everything that is wrong, most important first.
std::vector<Verdict> verdictsOf(const Evidence& evidence, const Waits& waits);

/// The job cannot continue without help: ranks of a group are in different collectives, or no rank makes progress and
/// ranks wait for each other in a circle, or for ranks that are done.
bool isDeadlocked(const Evidence& evidence, const Waits& waits);

/// Where the time of all ranks went, when that is worth knowing although no rank is slow: they wait for their data, or
/// for each other in operations that do not tell who is late. Looks at the verdicts that are there already.
void addTimeSpent(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// Which ranks the others wait for, when, and what fixing them gains; or that the last rank changes.
void addSlow(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// Delays that ended: ranks that all others waited for, once and long; times in which no rank made progress.
void addPauses(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// Whether something shows that this rank, whose process ended without reporting it, had not finished: it was loading a
/// batch, it waited for others in an operation, or others went on. A process that ends with os._exit() is in none of
/// these.
bool wasCutShort(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives);

}  // namespace shardlens
