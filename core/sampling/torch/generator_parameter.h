// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/torch/loader_seeds.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>

namespace shardlens::sampling {

/// The two parameters that say which generator a torch sampler was given: `generator` (none, sampler, loader) and
/// `generator_seed`.
Field torchGeneratorField();
Field torchGeneratorSeedField();

/// Which generator the script hands over, and to whom.
enum class TorchGeneratorUse {
  None,     ///< nothing: the rank's global generator
  Sampler,  ///< RandomSampler(dataset, generator=g): its state continues over the epochs
  Loader,   ///< DataLoader(dataset, shuffle=True, generator=g): base_seed and the sampler draw from it in turn
};

TorchGeneratorUse torchGeneratorUse(const PipelineSpec& spec);

/// The seed of the generator that the DataLoader of this rank was handed, if any: base_seed is drawn from it. Either
/// every rank's loader was handed one or none.
std::optional<std::uint64_t> loaderGeneratorSeed(const PipelineSpec& spec, Rank rank);

/// Where a sampler that draws `outputs` from its generator in each epoch starts to draw in this one.
TorchStream torchGeneratorStream(const PipelineSpec& spec, Epoch epoch, Rank rank, std::uint64_t outputs);

}  // namespace shardlens::sampling
