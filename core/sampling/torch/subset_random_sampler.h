// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.SubsetRandomSampler (`torch/utils/data/sampler.py` @67eb71b): a list of samples in random order.
/// Without a generator it permutes with the rank's global generator itself, after base_seed.
SamplerRule torchSubsetRandomSampler();

}  // namespace shardlens::sampling
