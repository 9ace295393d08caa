// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.RandomSampler (`torch/utils/data/sampler.py` @67eb71b): what a DataLoader uses with shuffle=True.
/// Without a generator it draws a 63-bit seed from the rank's global stream in every epoch, after base_seed.
SamplerRule torchRandomSampler();

/// One pass of the spec's RandomSampler with this generator: what `list(sampler)` is.
Result<OrderPtr> torchRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work);

}  // namespace shardlens::sampling
