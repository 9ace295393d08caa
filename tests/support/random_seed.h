// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace shardlens::test {

/// A seed that is new in each run and printed, or what SHARDLENS_TEST_SEED says: so a run can be repeated.
inline std::uint64_t randomSeed() {
  const char* given = std::getenv("SHARDLENS_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::cout << "SHARDLENS_TEST_SEED=" << seed << "\n";
  return seed;
}

}  // namespace shardlens::test
