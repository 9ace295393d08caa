// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <memory>

namespace shardlens {

/// Slurm's srun: all tasks on one node, which is the one where this runs: rings are files of one host.
std::unique_ptr<Launcher> makeSrun();

}  // namespace shardlens
