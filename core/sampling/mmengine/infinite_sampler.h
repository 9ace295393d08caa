// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// mmengine.dataset.InfiniteSampler (`mmengine/dataset/sampler.py` @2543429): one endless stream that continues over
/// epochs; set_epoch does nothing.
SamplerRule mmengineInfiniteSampler();

}  // namespace shardlens::sampling
