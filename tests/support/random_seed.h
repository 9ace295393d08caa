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

/// How often a test that draws at random looks: `few` times, or a multiple of it where SHARDLENS_TEST_ROUNDS says which
/// (.ci/nightly random).
inline int rounds(int few) {
  const char* times = std::getenv("SHARDLENS_TEST_ROUNDS");
  return times != nullptr ? few * std::atoi(times) : few;
}

}  // namespace shardlens::test
