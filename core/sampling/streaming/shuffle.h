// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_array.h"
#include "core/base/result.h"
#include "core/base/work.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace shardlens::sampling {

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
