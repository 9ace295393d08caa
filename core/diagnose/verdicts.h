// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/diagnose/waits.h"

#include <vector>

namespace shardlens {

/// Everything that is wrong, most important first.
std::vector<Verdict> verdictsOf(const Evidence& evidence, const Waits& waits);

/// The job cannot continue without help: ranks of a group are in different collectives, or no rank makes progress and
/// ranks wait for each other in a circle, or for ranks that are done.
bool isDeadlocked(const Evidence& evidence, const Waits& waits);

}  // namespace shardlens
