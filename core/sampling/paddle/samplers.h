// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// paddle.io.DistributedBatchSampler (`python/paddle/io/dataloader/batch_sampler.py` @01fbd77): pads the dataset, then
/// permutes it by an epoch number that it raises itself, and deals batches to the ranks in turn.
SamplerRule paddleDistributedBatchSampler();

/// paddle.io.RandomSampler and WeightedRandomSampler (`python/paddle/io/dataloader/sampler.py` @02a5e4e): draw from
/// NumPy's global stream on every rank.
SamplerRule paddleRandomSampler();
SamplerRule paddleWeightedRandomSampler();

}  // namespace shardlens::sampling
