// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

#include <cstdint>
#include <string>

namespace shardlens {

/// "0.42 s", "3 min 20 s".
std::string durationText(std::int64_t ns);

/// "finished", "failed", ...: the spelling in JSON.
const char* statusName(JobStatus status);

/// One sentence: what the job is doing, or how it ended.
std::string outcomeText(const RunState& state);

}  // namespace shardlens
