// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// streaming.StreamingDataset over dataset.shards, and the DataLoader around it. Source: streaming/base/dataset.py,
/// stream.py, world.py and dataloader.py (mosaicml-streaming 0.13 @89e7bb9).
SamplerRule streamingDataset();

}  // namespace shardlens::sampling
