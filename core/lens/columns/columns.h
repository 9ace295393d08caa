// SPDX-License-Identifier: Apache-2.0
/// How each framework deals what the spec describes: one row for each in core/lens/lens.cpp.
#pragma once

#include "core/lens/lens.h"
#include "core/sampling/lightning/injection.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::lenses {

using Lens = std::vector<LensColumn> (*)(const PipelineSpec& spec);

std::vector<LensColumn> accelerate(const PipelineSpec& spec);
std::vector<LensColumn> asWritten(const PipelineSpec& spec);
std::vector<LensColumn> datasets(const PipelineSpec& spec);
std::vector<LensColumn> deepSpeed(const PipelineSpec& spec);
std::vector<LensColumn> detectron2(const PipelineSpec& spec);
std::vector<LensColumn> fairseq(const PipelineSpec& spec);
std::vector<LensColumn> grain(const PipelineSpec& spec);
std::vector<LensColumn> ignite(const PipelineSpec& spec);
std::vector<LensColumn> lightning(const PipelineSpec& spec);
std::vector<LensColumn> megatron(const PipelineSpec& spec);
std::vector<LensColumn> megatronBridge(const PipelineSpec& spec);
std::vector<LensColumn> mmengine(const PipelineSpec& spec);
std::vector<LensColumn> streaming(const PipelineSpec& spec);
std::vector<LensColumn> timm(const PipelineSpec& spec);
std::vector<LensColumn> torchdata(const PipelineSpec& spec);
std::vector<LensColumn> transformers(const PipelineSpec& spec);
std::vector<LensColumn> webdataset(const PipelineSpec& spec);

/// "DistributedSampler(shuffle=True, seed=7)": the spec's sampler as Python would call it, with the parameters that
/// the spec sets. Of recorded batches, which no class deals, the type alone.
std::string samplerCode(const PipelineSpec& spec);

/// The same pipeline with another sampler.
PipelineSpec withSampler(PipelineSpec spec, std::string type, std::map<std::string, Value> parameters);

/// The column of a framework that takes the dataset and deals it by a sampler of its own. Says so if the script's
/// sampler was more than the whole dataset, in order or shuffled.
LensColumn ownSampler(const PipelineSpec& spec, std::string id, std::string title, std::string type,
                      std::map<std::string, Value> parameters);

/// The column for a script that already deals with a sampler of this framework: it changes nothing. Nothing for other
/// samplers.
std::optional<LensColumn> writtenFor(const PipelineSpec& spec, const std::string& id, std::string title);

/// Makes the column say that its order is unknown, "because ..."; a clause without a full stop.
void leaveOpen(LensColumn& column, const PipelineSpec& spec, const std::string& because);

/// Tells the epoch to a sampler that has set_epoch, as a framework does that calls set_epoch itself.
void tellEpoch(PipelineSpec& spec);

/// Whether the design is meant to read in another order than the dataset's.
bool isShuffled(const PipelineSpec& spec);

/// Whether the design reads an iterable dataset: its loader has no sampler.
bool isStream(const std::string& type);

/// What Accelerate deals from an iterable dataset, in a script and in the Trainer of Transformers alike.
void dealStream(LensColumn& column, const PipelineSpec& spec);

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
