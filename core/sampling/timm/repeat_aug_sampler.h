// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// timm.data.distributed_sampler.RepeatAugSampler (pytorch-image-models @aa4b585): each sample of the permuted dataset
/// several times in a row, padded, strided by rank, and of that only the first num_selected_samples.
SamplerRule timmRepeatAugSampler();

/// len(sampler): num_selected_samples, also where fewer are yielded.
std::int64_t timmRepeatAugLength(const PipelineSpec& spec);

}  // namespace shardlens::sampling
