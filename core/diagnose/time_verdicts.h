// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"

#include <vector>

namespace shardlens {

/// Where the time of all ranks went, when that is worth knowing although no rank is slow: they wait for their data, or
/// for each other in operations that do not tell who is late. Looks at the verdicts that are there already.
void addTimeSpent(const Evidence& evidence, std::vector<Verdict>& verdicts);

}  // namespace shardlens
