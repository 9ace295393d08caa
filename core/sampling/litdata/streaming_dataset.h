// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// StreamingDataset of litData (`streaming/shuffle.py`, `utilities/shuffle.py` @8805bae) under its DataLoader: chunks
/// are cut between the workers of all ranks, by NoShuffle, FullShuffle or WindowShuffle.
SamplerRule litdataStreamingDataset();

}  // namespace shardlens::sampling
