// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/run_replay.h"
#include "core/diagnose/run_state.h"
#include "tests/support/temp_folder.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shardlens::test {

/// Whether jobs can be launched here by Open MPI; says SKIPPED on stdout when not.
bool hasOpenMpi();

/// "mpirun -n 3 PROGRAM CASE ...", of Open MPI.
std::vector<std::string> mpirun(const std::vector<std::string>& program);

/// A command as it was typed, run by a supervisor in this process, and what its recording says afterwards.
struct WatchedJob {
  TempFolder folder;
  std::string output;  ///< of the job's standard output
  RunState live;       ///< at the end
  RunState replayed;
  RunState live_then;      ///< when `until` was true
  RunState replayed_then;  ///< at that moment of the recording

  /// Asks the job to end, as Ctrl+C does, as soon as `until` is true; without it, it ends by itself.
  explicit WatchedJob(std::vector<std::string> command, const std::function<bool(const RunState&)>& until = {});
};

const Verdict* find(const RunState& state, VerdictKind kind);

}  // namespace shardlens::test
