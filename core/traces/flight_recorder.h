// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/foreign_job.h"
#include "core/traces/trace_tree.h"

namespace shardlens::traces {

/// Whether this is a dump of PyTorch's Flight Recorder, or a part of one.
bool isFlightRecorder(const TraceTree& tree);

/// Reads a dump of versions 1 and 2: whatever of its keys is there. Rank and file are left to the caller.
RankTrace readFlightRecorder(const TraceTree& tree);

}  // namespace shardlens::traces
