// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
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

/// The epoch that set_epoch gave to the sampler.
std::int64_t lightningSetEpoch(const PipelineSpec& spec, const SamplerInfo& info, Epoch epoch);

}  // namespace shardlens::sampling
