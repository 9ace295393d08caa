// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/launch/launchers/launcher.h"

#include <memory>
#include <string>

namespace shardlens {

/// A command that starts its ranks itself, once and as it was typed: `torchrun train.py`, `mpirun ...`, `python3
/// train.py`. What it prints is its own: no line is known to be of a rank. Not in the table of launchers, since no spec
/// names it.
std::unique_ptr<Launcher> makeTypedCommand(const std::string& program);

/// Whether this program is one of the launchers, under one of its names: "mpiexec", "/usr/bin/torchrun".
bool isLauncher(const std::string& program);

/// What the command is called where a job has no spec: "train" of "torchrun --nproc_per_node=4 folder/train.py".
std::string nameOfCommand(const std::vector<std::string>& command);

}  // namespace shardlens
