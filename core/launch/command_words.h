// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace shardlens {

/// A line as one types it into a shell, as the arguments of one program. A line that is more than one command with
/// plain or quoted arguments (pipes, `&&`, assignments, variables, patterns, comments) becomes `sh -c LINE`. BadInput
/// when it is empty or ends within quotes.
Result<std::vector<std::string>> commandWords(const std::string& line);

}  // namespace shardlens
