// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/field.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// even_batches of both shards of batches.
Field accelerateEvenBatchesField();
/// SeedableRandomSampler: the seed of its permutation, or what torch.manual_seed raises in this release of torch when
/// seed + epoch leaves 64 bits. `data_seed` none: torch.initial_seed() when the sampler was made.
Result<std::uint64_t> accelerateSeedableSeed(std::optional<std::int64_t> data_seed, std::uint64_t initial_seed,
                                             std::int64_t epoch, std::string_view torch);

/// What is raised for a batch that split_batches cannot cut into equal parts. `user` is what the message names: the
/// DataLoader when prepare() refuses it, or the class whose constructor does.
Result<void> accelerateUnevenSplit(const PipelineSpec& spec, const std::string& user);

}  // namespace shardlens::sampling
