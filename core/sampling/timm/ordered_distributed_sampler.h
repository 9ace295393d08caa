// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// timm.data.distributed_sampler.OrderedDistributedSampler (pytorch-image-models @aa4b585): the dataset in its order,
/// padded once from its beginning, strided by rank.
SamplerRule timmOrderedDistributedSampler();

}  // namespace shardlens::sampling
