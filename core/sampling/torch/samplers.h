// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torch.utils.data.distributed.DistributedSampler (PyTorch, `torch/utils/data/distributed.py` @01c9f4f): permute the
/// whole dataset with seed + epoch, pad by tiling or cut, then stride rank::num_replicas.
SamplerRule torchDistributedSampler();

/// DataLoader(dataset, sampler=[...]): a list is a sampler too, and every rank reads it as it is.
SamplerRule pythonList();

/// torch.utils.data.RandomSampler (`torch/utils/data/sampler.py` @67eb71b): what a DataLoader uses with shuffle=True.
/// Without a generator it draws a 63-bit seed from the rank's global stream in every epoch, after base_seed.
SamplerRule torchRandomSampler();

/// One pass of the spec's RandomSampler with this generator: what `list(sampler)` is.
Result<OrderPtr> torchRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work);

/// torch.utils.data.SequentialSampler (`torch/utils/data/sampler.py` @67eb71b): 0, 1, ..., n-1 on every rank.
SamplerRule torchSequentialSampler();

/// torch.utils.data.SubsetRandomSampler (`torch/utils/data/sampler.py` @67eb71b): a list of samples in random order.
/// Without a generator it permutes with the rank's global generator itself, after base_seed.
SamplerRule torchSubsetRandomSampler();

/// torch.utils.data.WeightedRandomSampler (`torch/utils/data/sampler.py` @67eb71b): torch.multinomial of a list of
/// weights. Without a generator it draws from the rank's global generator itself, after base_seed.
SamplerRule torchWeightedRandomSampler();

}  // namespace shardlens::sampling
