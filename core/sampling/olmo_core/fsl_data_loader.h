// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>

namespace shardlens::sampling {

/// NumpyFSLDataLoader of OLMo-core (`src/olmo_core/data/data_loader.py` @fa6c501): permutes the instances, or chunks of
/// them, and gives each rank every world-size-th instance of a global batch.
SamplerRule olmoFslDataLoader();

/// total_batches of an epoch.
std::int64_t olmoTotalBatches(const PipelineSpec& spec);

}  // namespace shardlens::sampling
