// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/foreign_job.h"

namespace shardlens::traces {

/// Joins what the traces of ranks say: which groups are the same, which ranks there are, and which operations can be
/// matched between ranks. An operation that cannot (its other side may be among what was overwritten) stays to be
/// shown.
void joinRanks(ForeignJob& job);

}  // namespace shardlens::traces
