// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/sampling/torch_stream.h"
#include "core/spec/pipeline_spec.h"

#include <array>
#include <cstdint>

namespace shardlens::sampling {

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
