// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launch_command.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

struct JobRequest;

/// What a job's environment has beside ours, so that the probes are loaded into its processes.
struct ProbeEnvironment {
  std::vector<std::pair<std::string, std::string>> variables;
  std::vector<std::string> notes;  ///< of each probe that is missing or left out, one sentence
};

/// The probe of PyTorch records the loaders of every process in the folder `run_file`. With `rings`, a probe that knows
/// which rank it is makes its ring there (SHARDLENS_RINGS), that of MPI is preloaded, and NCCL is told of its own,
/// unless the user has named another plugin. What the user has set, in `own` or else in our environment, stays, behind
/// ours.
ProbeEnvironment probeEnvironment(const std::string& run_file, const std::filesystem::path& rings = {},
                                  const Variables& own = {});

/// Puts the environment of the requested command, and the probes, into that of a launch. What a launcher says to a rank
/// stays.
void addProbe(Launch& launch, const JobRequest& request, const std::filesystem::path& job_dir = {});

}  // namespace shardlens
