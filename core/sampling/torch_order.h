// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The recipe of a plain 0..n-1, and of torch.randperm(n) from a generator seeded with the key's seed after `skip`
/// outputs.
inline const std::string kSequential = "sequential";
inline const std::string kRandperm = "torch.randperm";

/// Computes an order of dataset.size ids by one of these recipes.
Result<OrderPtr> torchOrder(const PipelineSpec& spec, const OrderKey& key, const Work& work);

}  // namespace shardlens::sampling
