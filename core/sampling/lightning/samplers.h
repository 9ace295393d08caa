// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>

namespace shardlens::sampling {

/// lightning.pytorch.overrides.distributed.UnrepeatedDistributedSampler (@7f0c343): DistributedSampler without padding,
/// for predictions. It permutes with the epoch alone: seed and drop_last have no effect.
SamplerRule lightningUnrepeatedDistributedSampler();

/// The assertion of its constructor: a rank without a sample, when there are samples at all.
Result<void> checkUnrepeatedShare(std::int64_t size, std::int64_t world_size, Rank rank);

}  // namespace shardlens::sampling
