// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"
#include "core/sampling/streaming/spans.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace shardlens::sampling {

/// A block's size as Streaming draws it: from three to five quarters of block_size.
Result<std::int64_t> drawStreamingBlock(std::int64_t block_size, NumpyGenerator& rng);

/// rng.shuffle(ids) of one of many parts: reports no progress.
Result<void> shufflePart(std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work);

/// The span's ids, shuffled; there are as many places as ids.
Result<void> drawSpan(const StreamingSpan& span, std::span<std::uint32_t> ids, NumpyGenerator& rng, const Work& work);

/// body(first, last) on consecutive parts of [0, count), each done within a few milliseconds; false when stopped.
template <class Body>
bool inParts(std::size_t count, const Work& work, Body body) {
  constexpr std::size_t kPart = std::size_t{1} << 18;
  for (std::size_t first = 0; first < count; first += kPart) {
    if (work.stopped()) return false;
    body(first, first + kPart < count ? first + kPart : count);
  }
  return true;
}

}  // namespace shardlens::sampling
