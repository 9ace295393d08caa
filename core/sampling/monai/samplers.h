// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

#include <cstdint>

namespace shardlens::sampling {

/// DistributedSampler of MONAI (`monai/data/samplers.py` @d388d1c): torch's, whose even_divisible can be switched off.
SamplerRule monaiDistributedSampler();

/// DistributedWeightedRandomSampler of the same file: each rank draws by weight, with replacement, from its own slice.
SamplerRule monaiDistributedWeightedRandomSampler();

/// What a pass of the weighted class draws on a rank from `generator`, when set_epoch gave `told`.
Result<OrderPtr> monaiWeightedOrder(const PipelineSpec& spec, Rank rank, std::int64_t told, TorchGenerator& generator,
                                    const Work& work);

}  // namespace shardlens::sampling
