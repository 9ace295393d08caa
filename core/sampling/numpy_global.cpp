// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/numpy_global.h"

#include "core/base/phrase.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"

#include <limits>

namespace shardlens::sampling {
namespace {

constexpr std::uint64_t kMostLegacySeed = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Result<void> checkNumpySeed(std::uint64_t seed) {
  if (seed <= kMostLegacySeed) return {};
  return raised("ValueError", "Seed must be between 0 and 2**32 - 1", "seeds.base",
                worded("checks", "what the script hands to torch.manual_seed goes to np.random.seed too"));
}

Result<void> checkNumpySeed(std::span<const std::int64_t> seed) {
  if (seed.empty()) return raised("ValueError", "Seed must be non-empty");
  for (const std::int64_t word : seed) {
    if (auto good = checkNumpySeed(static_cast<std::uint64_t>(word)); !good) return good;
  }
  return {};
}

Result<void> checkNumpyRankSeed(const PipelineSpec& spec, Rank rank) {
  return checkNumpySeed(scriptSeed(spec, Epoch{0}, rank));
}

Result<void> checkNumpyChoice(std::int64_t n, std::int64_t size, bool replace) {
  if (n <= 0 && size != 0) return raised("ValueError", "a must be greater than 0 unless no samples are taken");
  if (!replace && size > n) {
    return raised("ValueError", "Cannot take a larger sample than population when 'replace=False'");
  }
  return {};
}

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
