// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>

namespace shardlens::sampling {

/// What the script of this rank hands to torch.manual_seed, np.random.seed and random.seed, modulo 2^64. Every rule
/// except base+rank+epoch seeds once, before epoch 0; that one seeds again at the start of each epoch.
std::uint64_t scriptSeed(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// Whether the rule seeds again at the start of each epoch.
bool seedsEachEpoch(const PipelineSpec& spec);

/// Whether the script is known to seed all ranks with one number.
bool seedsRanksAlike(const PipelineSpec& spec);
/// Whether it is known that ranks begin with different numbers.
bool seedsRanksApart(const PipelineSpec& spec);

}  // namespace shardlens::sampling
