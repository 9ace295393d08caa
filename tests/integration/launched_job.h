// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::test {

/// Real jobs of our own rank program below this launcher: a job that ends well, one with a slow rank, one whose rank is
/// killed, one that is stopped, and commands that fail. Fails the test where one of them is not told as it was.
void checkLauncher(const std::string& launcher);

}  // namespace shardlens::test
