// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// fairseq.data.iterators.EpochBatchIterator over batches of loader.batch_size consecutive samples: the batches are
/// shuffled, each rank takes every world-size-th, and ranks that have one less get an empty batch. Its first epoch
/// is 1. Source: facebookresearch/fairseq @3d262bb, fairseq/data/iterators.py, ordered_batches.
SamplerRule fairseqEpochBatchIterator();

}  // namespace shardlens::sampling
