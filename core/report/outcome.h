// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

#include <cstdint>
#include <string>

namespace shardlens {

/// "finished", "failed", ...: the spelling in JSON.
const char* statusName(JobStatus status);

/// One sentence: what the job is doing, or how it ended.
std::string outcomeText(const RunState& state);

}  // namespace shardlens
