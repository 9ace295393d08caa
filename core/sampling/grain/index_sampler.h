// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace shardlens::sampling {

/// grain.python.IndexSampler with ShardOptions(rank, world size): each rank shuffles a contiguous part of the records
/// and goes through it num_epochs times in one pass. Source: google/grain @f5dd0d8, grain/_src/python/samplers.py,
/// grain/_src/core/sharding.py, grain/_src/python/dataset/transformations/shuffle.py.
SamplerRule grainIndexSampler();

/// What an IndexSampler and its ShardOptions are made with, except for the shard's index.
struct GrainArguments {
  std::int64_t num_records = 0;
  std::int64_t shard_count = 1;
  bool drop_remainder = false;
  bool shuffle = false;
  std::optional<std::int64_t> num_epochs;  ///< nothing: endless
  std::optional<std::int64_t> seed;

  /// The constructors' exceptions, and what reading from an empty shard raises.
  [[nodiscard]] Result<void> check(std::int64_t shard_index) const;
  /// len() of the sampler. Expects num_epochs.
  [[nodiscard]] std::int64_t length(std::int64_t shard_index) const;
};

/// The records [first, last) of a shard: all shards have the same number, or the first ones one more. 0 <= shard_index
/// < shard_count.
std::pair<std::int64_t, std::int64_t> grainEvenSplit(std::int64_t num_examples, std::int64_t shard_index,
                                                     std::int64_t shard_count, bool drop_remainder);

/// ShardOptions.__post_init__.
Result<void> checkGrainShard(std::int64_t shard_index, std::int64_t shard_count);

}  // namespace shardlens::sampling
