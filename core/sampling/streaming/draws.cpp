// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/draws.h"

#include "core/random/numpy_permutation.h"
#include "core/sampling/numpy_arguments.h"

namespace shardlens::sampling {

Result<std::int64_t> drawStreamingBlock(std::int64_t block_size, NumpyGenerator& rng) {
  const auto size = static_cast<double>(block_size);
  return numpyIntegers(rng, static_cast<std::int64_t>(0.75 * size), static_cast<std::int64_t>(1.25 * size));
}

Result<void> shufflePart(std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work) {
  constexpr std::size_t kLong = std::size_t{1} << 16;
  if (work.stopped()) return cancelled();
  if (ids.size() >= kLong) return numpyShuffle(rng, ids, Work{work.stop, {}});
  rng.shuffle(ids);
  return {};
}

Result<void> drawSpan(const StreamingSpan& span, std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work) {
  const auto begin = static_cast<std::uint32_t>(span.begin);
  const bool done = inParts(ids.size(), work, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ids[i] = begin + static_cast<std::uint32_t>(i);
  });
  return done ? shufflePart(ids, rng, work) : cancelled();
}

}  // namespace shardlens::sampling
