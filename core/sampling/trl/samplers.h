// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// RepeatSampler of TRL (`trl/trainer/utils.py` @f2cd577): chunks of batch_size samples of a permutation, each chunk
/// several times, and in it each sample several times in a row.
SamplerRule trlRepeatSampler();

/// RepeatRandomSampler of TRL 0.15 (`trl/trainer/grpo_trainer.py` @cf97133): each sample of a permutation drawn from
/// the global generator, several times in a row.
SamplerRule trlRepeatRandomSampler();

/// One pass of the latter, from a generator at this place.
Result<OrderPtr> trlRepeatRandomOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work);

}  // namespace shardlens::sampling
