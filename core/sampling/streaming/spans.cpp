// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/streaming/spans.h"

namespace shardlens::sampling {

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
