// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/epochs_of_passes.h"
#include "core/capture/job_loaders.h"
#include "core/spec/pipeline_spec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::capture {

/// A loader as a spec: only what was seen, nothing guessed.
struct LoaderSpec {
  PipelineSpec spec;
  std::vector<std::string> unknown;          ///< what could not be known, or not be said in a spec; one sentence each
  std::vector<std::string> problems;         ///< why there is no spec; empty: there is one
  bool knows_class = false;                  ///< of the sampler
  bool epoch_is_set = false;                 ///< the pass with sampler.epoch e is epoch e of the spec; else see `order`
  std::optional<EpochsOfPasses> order = {};  ///< of a sampler that was never told its epoch; else the e-th pass is e

  /// The epoch of the spec that is the `index`-th pass of a rank, or that it looks into.
  [[nodiscard]] std::int64_t epochOf(const RankLoader& rank, std::size_t index) const {
    if (epoch_is_set) return rank.passes[index].epoch.value_or(-1);
    // Without being told, all epochs have one order, and a pass that only looks into one looks into any.
    return order ? order->of(rank.rank, index).value_or(0) : static_cast<std::int64_t>(index);
  }
};

/// Whether rank 0 reads it for all ranks, as Accelerate's DataLoaderDispatcher does: no other rank draws a batch, and
/// what each was sent is not recorded.
bool isDispatched(const JobLoader& job);

/// "1.13.1" -> {1, 13}
std::pair<int, int> releaseOf(const std::string& version);

/// The batch_size that a loader has, itself or in a BatchSampler; nothing where other code makes its batches.
std::optional<std::int64_t> statedBatchSize(const LoaderFacts& loader);

/// The sampler of single samples: the loader's own, or that in its BatchSampler. Null where none is known.
const SamplerFacts* samplerOfSamples(const LoaderFacts& loader);

/// Whether the loader, or the batch sampler that makes its batches, leaves out a short last batch.
bool dropsLast(const LoaderFacts& loader);

/// The spec of this loader, with everything that all its ranks agree in.
LoaderSpec specOf(const JobLoader& job, const std::vector<ProcessFacts>& processes);

}  // namespace shardlens::capture
