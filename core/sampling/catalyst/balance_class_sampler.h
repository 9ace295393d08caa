// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// catalyst.data.BalanceClassSampler: as many samples of each class, chosen and shuffled by NumPy's global stream.
/// Source: catalyst-team/catalyst @e99f906, catalyst/data/sampler.py.
SamplerRule catalystBalanceClassSampler();

}  // namespace shardlens::sampling
