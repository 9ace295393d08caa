// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// ShardLens' own: TwoStreamBatchSampler for several ranks. No published project has this class.
SamplerRule shardLensDistributedTwoStreamBatchSampler();

}  // namespace shardlens::sampling
