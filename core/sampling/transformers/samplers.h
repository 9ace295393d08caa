// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The samplers of the Transformers trainer (transformers/trainer_pt_utils.py). Lengths are dataset.lengths.
SamplerRule transformersLengthGroupedSampler();
SamplerRule transformersDistributedLengthGroupedSampler();
SamplerRule transformersShardSampler();
SamplerRule transformersSequentialDistributedSampler();
SamplerRule transformersDistributedSamplerWithLoop();

}  // namespace shardlens::sampling
