// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/random/numpy_generator.h"

#include <cstdint>

namespace shardlens::sampling {

/// What default_rng raises for this seed (numpy 1.24 to 2.2): it takes no negative ones.
Result<void> checkNumpySeed(std::int64_t seed, const char* field = "");

/// Generator.integers(low, high), with NumPy's own error for an empty range.
Result<std::int64_t> numpyIntegers(NumpyGenerator& rng, std::int64_t low, std::int64_t high);

}  // namespace shardlens::sampling
