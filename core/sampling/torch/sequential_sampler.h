// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.SequentialSampler (`torch/utils/data/sampler.py` @67eb71b): 0, 1, ..., n-1 on every rank.
SamplerRule torchSequentialSampler();

}  // namespace shardlens::sampling
