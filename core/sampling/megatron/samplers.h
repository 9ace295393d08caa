// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>

namespace shardlens::sampling {

/// The batch samplers of Megatron-LM (megatron/training/datasets/data_samplers.py, d98e8a6). Their micro_batch_size is
/// loader.batch_size, data_parallel_size the world size, total_samples the size of the dataset.
SamplerRule megatronPretrainingSampler();
SamplerRule megatronPretrainingRandomSampler();
SamplerRule megatronFullValidationSampler();
SamplerRule hybridCpMegatronPretrainingSampler();

/// Those of Megatron-Bridge (src/megatron/bridge/data/samplers.py, 067f987), which began as copies of them.
SamplerRule megatronBridgePretrainingSampler();
SamplerRule megatronBridgePretrainingRandomSampler();
SamplerRule megatronBridgePretrainingBatchSampler();

/// consumed_samples of the batch sampler when this pass of one object begins.
std::int64_t megatronBridgeConsumed(const PipelineSpec& spec, Epoch pass);
/// Its batches of a pass, by len(): those that the rest of the epoch should give.
std::int64_t megatronBridgeLength(const PipelineSpec& spec, Epoch pass);

/// What the classes raise for a rank outside their world.
Error megatronRankTooLarge(std::int64_t rank, std::int64_t ranks);

}  // namespace shardlens::sampling
