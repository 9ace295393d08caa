// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::sampling {

/// What accelerator.prepare(DataLoader(...)) deals (Accelerate 1.15.0.dev0, 16cb6eb, data_loader.py).
SamplerRule accelerateBatchSamplerShard();
SamplerRule accelerateIterableDatasetShard();
SamplerRule accelerateDataLoaderDispatcher();
SamplerRule accelerateDataLoaderShard();

/// Whether accelerate.DataLoaderShard knows what becomes of a sampler of this type.
bool accelerateShards(const std::string& type);

/// len() of the prepared loader of one rank in an epoch; negative when it skips more batches than there are.
std::int64_t accelerateLength(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// BatchSamplerShard itself over a SequentialSampler's batches: it completes the end of a single process too, which
/// prepare() never asks it to.
Slice accelerateShardAlone(const PipelineSpec& spec, Rank rank);

/// IterableDatasetShard itself over 0, 1, ...: it completes the end of a single process too, which prepare() never asks
/// it to. What its constructor raises for a batch that it cannot cut.
Result<Slice> accelerateIterableShardAlone(const PipelineSpec& spec, Rank rank);

/// BatchSamplerShard over a batch sampler without batch_size, whose batches have any length: the numbers of the batches
/// that this process yields. With even_batches the first ones come again at the end.
std::vector<std::int64_t> accelerateShardOfBatches(std::int64_t batches, std::int64_t processes, std::int64_t process,
                                                   bool even_batches);

}  // namespace shardlens::sampling
