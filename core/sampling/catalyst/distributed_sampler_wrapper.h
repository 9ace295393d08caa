// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// catalyst.data.DistributedSamplerWrapper: DistributedSampler with seed 0 over the positions of another sampler's
/// pass. Source: catalyst-team/catalyst @e99f906, catalyst/data/sampler.py.
SamplerRule catalystDistributedSamplerWrapper();

}  // namespace shardlens::sampling
