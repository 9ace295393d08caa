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

/// shuffle, use_seedable_sampler, data_seed, generator_seed: which order the processes of Accelerate share out.
std::vector<Field> accelerateOrderFields();

/// SeedableRandomSampler: the seed of its permutation, or what torch.manual_seed raises in this release of torch when
/// seed + epoch leaves 64 bits. `data_seed` none: torch.initial_seed() when the sampler was made.
Result<std::uint64_t> accelerateSeedableSeed(std::optional<std::int64_t> data_seed, std::uint64_t initial_seed,
                                             std::int64_t epoch, std::string_view torch);

/// Which order this process walks through in this epoch. `iteration` is what the sampler's set_epoch was given. All
/// processes share one order, except with a SeedableRandomSampler without data_seed: nothing synchronizes it, so each
/// process permutes by what it gave torch.manual_seed itself.
OrderKey accelerateOrderKey(const PipelineSpec& spec, Epoch epoch, Rank rank, std::int64_t iteration);
Result<OrderPtr> accelerateOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work);

/// What is raised for a batch that split_batches cannot cut into equal parts. `user` is what the message names: the
/// DataLoader when prepare() refuses it, or the class whose constructor does.
Result<void> accelerateUnevenSplit(const PipelineSpec& spec, const std::string& user);

/// Outputs of the rank's global stream that an epoch consumes after base_seed.
std::uint64_t accelerateSharedOutputs(const PipelineSpec& spec);

}  // namespace shardlens::sampling
