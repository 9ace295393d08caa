// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// get_batch of nanoGPT (`train.py` @3adf61e): each batch is made of random offsets into the token file, drawn from
/// torch's global generator; nothing divides the tokens. A sample of the plan is an offset.
SamplerRule nanogptGetBatch();

}  // namespace shardlens::sampling
