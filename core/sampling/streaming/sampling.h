// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/sampling/streaming/shuffle.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace shardlens::sampling {

/// get_sampling: how many samples of each shard are drawn to get `choose` together. Source: streaming/base/sampling.py
/// (mosaicml-streaming 0.13).
Result<std::vector<std::int64_t>> streamingSampling(std::span<const std::int64_t> shard_sizes, std::int64_t choose,
                                                    std::int64_t granularity, std::int64_t seed, std::int64_t epoch,
                                                    bool use_epoch);

/// One of the dataset's streams and its weight, of which a script gives at most one.
struct StreamingStream {
  std::vector<std::int64_t> shards;
  std::optional<double> proportion;
  std::optional<double> repeat;
  std::optional<std::int64_t> choose;
};

/// What the weights result in.
struct StreamingWeights {
  std::vector<double> proportions;
  std::vector<std::int64_t> chosen;  ///< samples of each stream in an epoch
  std::int64_t epoch_size = 0;
};

/// What Stream's constructor and Stream.validate_weights raise; there is at least one stream.
Result<void> checkStreamingWeights(std::span<const StreamingStream> streams);

/// Stream.apply_weights (streaming/base/stream.py); epoch_size 0 is Streaming's None.
Result<StreamingWeights> streamingWeights(std::span<const StreamingStream> streams, std::int64_t epoch_size,
                                          std::int64_t seed);

}  // namespace shardlens::sampling
