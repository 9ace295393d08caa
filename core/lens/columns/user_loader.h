// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/lightning/injection.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <optional>

namespace shardlens::lenses {

/// The DataLoader that the spec describes, as the objects that a framework would look at; nothing for samplers that are
/// no part of a torch DataLoader, or whose classes are not described here.
std::optional<sampling::UserLoader> userLoaderOf(const PipelineSpec& spec);

/// Whether the sampler hands out whole batches, and so is passed as batch_sampler.
bool isBatchSampler(const PipelineSpec& spec);

/// How many batches of an epoch each rank reads at most: overfit_batches, which limit trainer.fit() and
/// trainer.validate() (trainer/setup.py); 0: all of them.
std::int64_t batchesRead(const PipelineSpec& spec);

/// Whether trainer.fit() first puts a sequential sampler into the loader, as overfit_batches makes it
/// (loops/fit_loop.py); no other stage does.
bool readsInOrder(const PipelineSpec& spec);

/// Trainer settings, or Fabric's, from framework.lightning; distributed with more than one rank.
sampling::LightningSettings lightningSettings(const PipelineSpec& spec, sampling::LightningApi api);

}  // namespace shardlens::lenses
