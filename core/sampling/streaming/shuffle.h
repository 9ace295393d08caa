// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_array.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/random/numpy_generator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace shardlens::sampling {

/// A run of consecutive sample ids, the end excluded.
struct StreamingSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// The spans of all canonical nodes, node after node.
struct StreamingNodeSpans {
  std::vector<StreamingSpan> spans;
  std::vector<std::size_t> ends;  ///< of each node's spans

  [[nodiscard]] std::span<StreamingSpan> node(std::size_t n) {
    const std::size_t first = n == 0 ? 0 : ends[n - 1];
    return std::span(spans).subspan(first, ends[n] - first);
  }
};

/// The ids of each shard, shard after shard.
std::vector<StreamingSpan> spansOfShards(std::span<const std::int64_t> shard_sizes);

/// Cuts the spans, in their order, into `nodes` parts that differ by one sample at most (divide_spans).
StreamingNodeSpans divideSpans(std::vector<StreamingSpan> spans, std::int64_t samples, std::int64_t nodes);

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

/// Sample ids of Streaming's epoch, before and after it maps them; fewer than 2^32 - 1.
using StreamingIds = std::vector<std::uint32_t, LargeAllocator<std::uint32_t>>;

enum class StreamingShuffle { Naive, Py1s, Py2s, Py1br, Py1e };

/// The algorithm of this name ("py1e"), or nothing.
std::optional<StreamingShuffle> streamingShuffleNamed(std::string_view name);

struct StreamingShuffleArguments {
  StreamingShuffle algorithm = StreamingShuffle::Py1e;
  std::int64_t canonical_nodes = 1;  ///< at least 1
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  std::int64_t block_size = 1 << 18;
};

/// get_shuffle: which sample is at each place of the shuffled epoch. Raises what Streaming raises. Source:
/// streaming/base/shuffle (mosaicml-streaming 0.13).
Result<StreamingIds> streamingShuffle(std::span<const std::int64_t> shard_sizes,
                                      const StreamingShuffleArguments& arguments, const Work& work);

}  // namespace shardlens::sampling
