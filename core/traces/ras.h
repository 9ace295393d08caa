// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/foreign_job.h"
#include "core/traces/trace_tree.h"

namespace shardlens::traces {

/// Whether this is the status of NCCL's RAS as JSON.
bool isRas(const TraceTree& tree);

/// Reads a status: which communicators there are, who answers, and how many operations of each kind each rank has
/// launched. A rank that has launched fewer than others has not come to what these are in; whether what all have
/// launched is over, RAS does not know. Ranks are those of the largest communicator.
ForeignJob readRas(const TraceTree& tree);

/// NCCL 2.28 leaves out the comma between the device and the status of a missing rank: puts it there.
std::string withCommas(std::string_view bytes);

}  // namespace shardlens::traces
