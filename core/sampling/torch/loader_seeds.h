// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/field.h"
#include "core/spec/pipeline_spec.h"

#include <array>
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

/// Where the DataLoader of this rank is when the epoch starts: in the rank's global stream, or in that of the
/// generator handed to the loader. Counts what base_seed and the sampler drew in the epochs before.
/// Source: torch/utils/data/dataloader.py, sampler.py (1.13 to 2.9).
TorchStream torchLoaderStream(const PipelineSpec& spec, Epoch epoch, Rank rank);
/// The same after base_seed was drawn: where a sampler without a generator of its own starts to draw.
TorchStream torchSamplerStream(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// The base_seed of this rank's DataLoader in this epoch; persistent workers keep that of epoch 0.
std::uint64_t torchBaseSeed(const PipelineSpec& spec, Epoch epoch, Rank rank);

/// torch.initial_seed() in a DataLoader worker, also what Python's random is seeded with there.
constexpr std::uint64_t torchWorkerSeed(std::uint64_t base_seed, std::int64_t worker) {
  return base_seed + static_cast<std::uint64_t>(worker);
}

/// The four words that a DataLoader worker hands to numpy.random.seed. Source: torch/utils/data/_utils/worker.py,
/// _generate_state: a mix in the manner of NumPy's SeedSequence of (worker, low word, high word of base_seed, 0).
std::array<std::uint32_t, 4> torchWorkerNumpyWords(std::uint64_t base_seed, std::int64_t worker);

}  // namespace shardlens::sampling
