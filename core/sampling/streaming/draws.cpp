// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/draws.h"

#include "core/random/numpy_permutation.h"
#include "core/sampling/numpy_global.h"

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

std::vector<StreamingSpan> spansOfShards(std::span<const std::int64_t> shard_sizes) {
  std::vector<StreamingSpan> spans;
  spans.reserve(shard_sizes.size());
  std::int64_t begin = 0;
  for (const std::int64_t size : shard_sizes) {
    spans.push_back({begin, begin + size});
    begin += size;
  }
  return spans;
}

StreamingNodeSpans divideSpans(std::vector<StreamingSpan> spans, std::int64_t samples, std::int64_t nodes) {
  StreamingNodeSpans divided;
  std::size_t next = 0;
  std::int64_t before = 0;
  for (std::int64_t node = 1; node <= nodes; ++node) {
    const auto node_end = samples / nodes * node + samples % nodes * node / nodes;
    for (; next < spans.size() && before + spans[next].size() <= node_end; ++next) {
      divided.spans.push_back(spans[next]);
      before += spans[next].size();
    }
    if (next < spans.size() && before < node_end) {
      const std::int64_t cut = spans[next].begin + node_end - before;
      divided.spans.push_back({spans[next].begin, cut});
      spans[next].begin = cut;
      before = node_end;
    }
    divided.ends.push_back(divided.spans.size());
  }
  return divided;
}

}  // namespace shardlens::sampling
