// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>

namespace shardlens::sampling {

/// What the script of this rank hands to torch.manual_seed, modulo 2^64. Every rule but base+rank+epoch seeds once,
/// before epoch 0; that one seeds again at the start of each epoch.
std::uint64_t torchRankSeed(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// Whether the rule seeds again at the start of each epoch.
bool seedsEachEpoch(const PipelineSpec& spec);

/// Outputs of the rank's global generator that one epoch consumes: base_seed, then what the sampler draws.
/// Source: torch/utils/data/dataloader.py, sampler.py (1.13 to 2.9).
std::uint64_t torchOutputsPerEpoch(const PipelineSpec& spec);

/// The base_seed that this rank's DataLoader draws from its global generator when the epoch starts.
std::uint64_t torchBaseSeed(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// torch.initial_seed() in a DataLoader worker.
constexpr std::uint64_t torchWorkerSeed(std::uint64_t base_seed, std::int64_t worker) {
  return base_seed + static_cast<std::uint64_t>(worker);
}

}  // namespace shardlens::sampling
