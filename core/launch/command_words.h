// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/launch/launch_command.h"

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

}  // namespace shardlens
