// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// webdataset.WebDataset over dataset.shards in a DataLoader: shards are split by rank and by worker, shuffled in each
/// worker, and their samples perhaps once more. Source: webdataset/webdataset @e0953f9, src/webdataset/compat.py.
SamplerRule webDataset();

/// webdataset.ResampledShards over dataset.shards: each worker draws shards with replacement.
SamplerRule webDatasetResampledShards();

}  // namespace shardlens::sampling
