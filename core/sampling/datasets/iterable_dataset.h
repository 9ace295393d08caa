// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// A Hugging Face IterableDataset in a DataLoader: split by node, shuffled by its buffer, read by workers.
SamplerRule datasetsIterableDataset();

/// What this worker's copy of the dataset yields, or raises, whatever the others do; without workers it is the rank
/// itself. The spec must be valid.
Result<std::vector<std::int64_t>> datasetsWorkerStream(const PipelineSpec& spec, Epoch epoch, Rank rank,
                                                       std::int64_t worker);

}  // namespace shardlens::sampling
