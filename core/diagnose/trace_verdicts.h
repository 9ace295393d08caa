// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/evidence.h"
#include "core/diagnose/waits.h"

#include <vector>

namespace shardlens {

/// Where the ranks stand at the end of a trace that another tool wrote: who has not come to what the others are in.
/// Nothing when some other verdict explains it, or when all ranks are through.
void addTraceStalled(const Evidence& evidence, const Waits& waits, std::vector<Verdict>& verdicts);

/// Where the ranks of a mismatch were in the program, which their traces say.
void addPlaces(const Evidence& evidence, std::vector<Verdict>& verdicts);

/// What the traces do not hold.
void addTraceLost(const Evidence& evidence, std::vector<Verdict>& verdicts);

}  // namespace shardlens
