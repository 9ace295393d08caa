// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.distributed.DistributedSampler (PyTorch, `torch/utils/data/distributed.py` @01c9f4f): permute the
/// whole dataset with seed + epoch, pad by tiling or cut, then stride rank::num_replicas.
SamplerRule torchDistributedSampler();

}  // namespace shardlens::sampling
