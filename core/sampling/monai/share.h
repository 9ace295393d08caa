// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <vector>

namespace shardlens::sampling {

/// What both of MONAI's classes take for dividing, and what they do with it.
std::vector<Field> monaiShareFields();
Result<void> checkMonaiShare(const PipelineSpec& spec);
Result<void> checkMonaiShareOf(const PipelineSpec& spec, Rank rank);
OrderKey monaiShareKey(const PipelineSpec& spec, Epoch epoch);
Slice monaiSlice(const PipelineSpec& spec, Rank rank, OrderPtr order);

}  // namespace shardlens::sampling
