// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// DataLoader(dataset, sampler=[...]): a list is a sampler too, and every rank reads it as it is.
SamplerRule pythonList();

}  // namespace shardlens::sampling
