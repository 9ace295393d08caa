// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace shardlens::cli {

/// Becomes the studio with these arguments; it is looked for beside this program and in lib/shardlens. Returns only
/// when that fails: the exit code, after saying why.
int execStudio(const std::vector<char*>& arguments);

}  // namespace shardlens::cli
