// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/sampler_rule.h"
#include "core/sampling/script_seed.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <span>

namespace shardlens::sampling {

/// np.random.seed and RandomState of a whole number, modulo 2^64: ValueError beyond 2^32 - 1.
Result<void> checkNumpySeed(std::uint64_t seed);
/// The same of a list.
Result<void> checkNumpySeed(std::span<const std::int64_t> seed);

/// What this rank's script hands to np.random.seed: the same number as to torch.manual_seed.
Result<void> checkNumpyRankSeed(const PipelineSpec& spec, Rank rank);

/// The key of a sampler whose passes draw from NumPy's global stream one after the other, unless the script seeds it
/// again for each: the seed, and how many passes came before.
template <const SamplerInfo& (*info)()>
OrderKey numpyGlobalKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::uint64_t before = seedsEachEpoch(spec) ? 0 : static_cast<std::uint64_t>(epoch.value);
  return {info().type, scriptSeed(spec, epoch, rank), before};
}

/// np.random.choice(n, size, replace) without probabilities.
Result<void> checkNumpyChoice(std::int64_t n, std::int64_t size, bool replace);

/// What default_rng raises for this seed (numpy 1.24 to 2.2): it takes no negative ones.
Result<void> checkNumpySeed(std::int64_t seed, const char* field = "");

/// Generator.integers(low, high), with NumPy's own error for an empty range.
Result<std::int64_t> numpyIntegers(NumpyGenerator& rng, std::int64_t low, std::int64_t high);

}  // namespace shardlens::sampling
