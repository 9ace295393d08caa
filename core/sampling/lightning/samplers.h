// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

enum class LightningWrapperKind {
  Padded,      ///< as DistributedSampler
  Unrepeated,  ///< without padding; the epoch alone is the seed
};

/// shuffle, seed, drop_last and set_epoch, as Lightning's own samplers take them.
std::vector<Field> lightningWrapperFields(LightningWrapperKind kind);

/// lightning.pytorch.overrides.distributed.UnrepeatedDistributedSampler (@7f0c343): DistributedSampler without padding,
/// for predictions. It permutes with the epoch alone: seed and drop_last have no effect.
SamplerRule lightningUnrepeatedDistributedSampler();

/// The assertion of its constructor: a rank without a sample, when there are samples at all.
Result<void> checkUnrepeatedShare(std::int64_t size, std::int64_t world_size, Rank rank);

}  // namespace shardlens::sampling
