// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>

namespace shardlens::sampling {

/// DistributedProxySampler of PyTorch-Ignite (`ignite/distributed/auto.py` @de08e79): seeds torch's global generator
/// with the epoch, draws passes of another sampler until every rank has as many items, and strides through them.
SamplerRule igniteDistributedProxySampler();

/// Its pass for the number that set_epoch gave, after it was iterated `earlier` times.
Result<OrderPtr> igniteProxyOrder(const PipelineSpec& spec, std::int64_t told, std::int64_t earlier, const Work& work);

}  // namespace shardlens::sampling
