// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/diagnose/run_state.h"

#include <filesystem>
#include <vector>

namespace shardlens {

/// The ranks of a job that probes saw reading a loader, by number, with those of their world that were not seen; none
/// of them is measured by that. Empty where no process says which rank it is, unless there is only one process.
std::vector<RankState> observedRanks(const std::filesystem::path& recording, const Work& work = {});

/// Adds them to the state of a job in which no rank has said how many they are. Which of them ended well is not known
/// where the job did not.
void addObserved(const std::vector<RankState>& ranks, RunState& state);

}  // namespace shardlens
