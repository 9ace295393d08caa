// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/sampling/sampler_rule.h"

#include <cstdint>

namespace shardlens::sampling {

/// What Dataset.shard picks: first, first + step, ..., `count` samples.
struct DatasetsShard {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

/// Dataset.shard(num_shards, index, contiguous) of huggingface/datasets @b7cb10b, src/datasets/arrow_dataset.py:
/// ValueError when there is no such part.
Result<DatasetsShard> datasetsShard(std::int64_t size, std::int64_t num_shards, std::int64_t index, bool contiguous);

/// The IndexError that select() raises for a contiguous part which begins after the last sample, as an empty one does.
Result<void> checkDatasetsSelect(std::int64_t size, const DatasetsShard& shard, bool contiguous);

/// A map-style Dataset that split_dataset_by_node or shard() cuts into one part for each rank.
SamplerRule datasetsDataset();

}  // namespace shardlens::sampling
