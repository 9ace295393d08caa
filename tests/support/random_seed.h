// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>

namespace shardlens::test {

/// The same in each run, so that a test says the same each time; or what SHARDLENS_TEST_SEED says, to look further.
inline std::uint64_t randomSeed() {
  const char* given = std::getenv("SHARDLENS_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20'240'229;
  std::cout << "SHARDLENS_TEST_SEED=" << seed << "\n";
  return seed;
}

}  // namespace shardlens::test
