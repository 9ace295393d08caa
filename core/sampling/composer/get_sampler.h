// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// dist.get_sampler of Composer (`composer/utils/dist.py` @6405188): torch's DistributedSampler with Composer's own
/// defaults.
SamplerRule composerGetSampler();

}  // namespace shardlens::sampling
