// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The batches that a job read, whatever its sampler was: what comes after them is not known.
SamplerRule recordedBatches();

}  // namespace shardlens::sampling
