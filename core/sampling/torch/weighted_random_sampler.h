// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.WeightedRandomSampler (`torch/utils/data/sampler.py` @67eb71b): torch.multinomial of a list of
/// weights. Without a generator it draws from the rank's global generator itself, after base_seed.
SamplerRule torchWeightedRandomSampler();

}  // namespace shardlens::sampling
