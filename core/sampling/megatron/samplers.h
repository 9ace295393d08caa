// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The batch samplers of Megatron-LM (megatron/training/datasets/data_samplers.py, d98e8a6). Their micro_batch_size is
/// loader.batch_size, data_parallel_size the world size, total_samples the size of the dataset.
SamplerRule megatronPretrainingSampler();
SamplerRule megatronPretrainingRandomSampler();
SamplerRule megatronFullValidationSampler();
SamplerRule hybridCpMegatronPretrainingSampler();

}  // namespace shardlens::sampling
