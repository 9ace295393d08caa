// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// DeepSpeedDataSampler of DeepSpeed (`deepspeed/runtime/data_pipeline/data_sampling/data_sampler.py` @edaa722): draws
/// global batches from clusters of samples, to which a curriculum adds harder ones.
SamplerRule deepSpeedDataSampler();

}  // namespace shardlens::sampling
