// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
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

}  // namespace shardlens::sampling
