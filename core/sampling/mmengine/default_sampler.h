// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// mmengine.dataset.DefaultSampler (`mmengine/dataset/sampler.py` @2543429): permute with seed + epoch, tile to a
/// multiple of the world size when round_up, stride by rank.
SamplerRule mmengineDefaultSampler();

}  // namespace shardlens::sampling
