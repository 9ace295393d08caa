// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shardlens::test {

/// Real jobs of our own rank program below this launcher: one with a slow rank that ends well, one whose rank is killed
/// and one that is stopped; and a command that fails. Fails the test where one of them is not told as it was.
void checkLauncher(const std::string& launcher);

}  // namespace shardlens::test
