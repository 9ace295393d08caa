// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/numpy_arguments.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"

namespace shardlens::sampling {

Result<void> checkNumpySeed(std::int64_t seed, const char* field) {
  if (seed >= 0) return {};
  return raised("ValueError", "expected non-negative integer", field, worded("checks", "use a seed from 0 on"));
}

Result<std::int64_t> numpyIntegers(NumpyGenerator& rng, std::int64_t low, std::int64_t high) {
  if (low >= high) return raised("ValueError", low == 0 ? "high <= 0" : "low >= high");
  const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + rng.atMost(range - 1));
}

}  // namespace shardlens::sampling
