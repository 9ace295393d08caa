// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/launch/launch_command.h"
#include "core/launch/launchers/launcher.h"

#include <memory>
#include <string>
#include <vector>

namespace shardlens {

/// A line as one types it into a shell, as the arguments of one program, behind the "NAME=value" words that stand
/// before it. A line that is more than one command with plain or quoted arguments (pipes, `&&`, variables, patterns,
/// comments) becomes `sh -c LINE`. BadInput when there is no command in it or it ends within quotes.
Result<std::vector<std::string>> commandWords(const std::string& line);

/// The "NAME=value" words before a command, which a shell puts into its environment: taken out of it, and added to
/// `taken`. Of two with one name the later one counts.
Variables takeAssignments(std::vector<std::string>& command, Variables taken = {});

/// Lines "NAME=value" as variables, in their order; empty ones, and those that begin with #, say nothing. A value is
/// taken as it stands, without quotes around all of it. Of two lines with one name the later one counts. BadInput for
/// a line that is no assignment.
Result<Variables> environmentLines(const std::string& text);

/// A command that starts its ranks itself, once and as it was typed: `torchrun train.py`, `mpirun ...`, `python3
/// train.py`. What it prints is its own: no line is known to be of a rank. Not in the table of launchers, since no spec
/// names it.
std::unique_ptr<Launcher> makeTypedCommand(const std::string& program);

/// Whether this program is one of the launchers, under one of its names: "mpiexec", "/usr/bin/torchrun".
bool isLauncher(const std::string& program);

/// What the command is called where a job has no spec: "train" of "torchrun --nproc_per_node=4 folder/train.py".
std::string nameOfCommand(const std::vector<std::string>& command);

}  // namespace shardlens
