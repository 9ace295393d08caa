// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

#include <string>

namespace shardlens {

/// A row for each rank: how far it came, where its time went, how late it came to collectives, which of its batches
/// were the planned ones, and its end. Beyond a bound the ranks that the verdicts name come first, and the rest is
/// counted.
std::string rankTableHtml(const RunState& state);

}  // namespace shardlens
