// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// DistributedSampler of MONAI (`monai/data/samplers.py` @d388d1c): torch's, whose even_divisible can be switched off.
SamplerRule monaiDistributedSampler();

/// DistributedWeightedRandomSampler of the same file: each rank draws by weight, with replacement, from its own slice.
SamplerRule monaiDistributedWeightedRandomSampler();

/// The slice of a rank of either class.
SliceShape monaiShape(const PipelineSpec& spec, Rank rank);

/// What a pass of the weighted class draws on a rank from `generator`, when set_epoch gave `told`.
Result<OrderPtr> monaiWeightedOrder(const PipelineSpec& spec, Rank rank, std::int64_t told, TorchGenerator& generator,
                                    const Work& work);
/// Outputs of the generator that such a pass consumes.
std::uint64_t monaiWeightedOutputs(const PipelineSpec& spec, Rank rank);

/// What both of MONAI's classes take for dividing, and what they do with it.
std::vector<Field> monaiShareFields();
Result<void> checkMonaiShare(const PipelineSpec& spec);
Result<void> checkMonaiShareOf(const PipelineSpec& spec, Rank rank);
OrderKey monaiShareKey(const PipelineSpec& spec, Epoch epoch);
Slice monaiSlice(const PipelineSpec& spec, Rank rank, OrderPtr order);

}  // namespace shardlens::sampling
