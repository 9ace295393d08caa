// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launch_command.h"

#include <string>

namespace shardlens {

/// Puts the probe of PyTorch into the environment of a launch: it records the loaders of every process in the folder
/// `run_file`. An installation without the probe is a note of the launch.
void addProbe(Launch& launch, const std::string& run_file);

}  // namespace shardlens
