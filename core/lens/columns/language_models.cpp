// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <string>

namespace shardlens::lenses {

/// deepspeed.initialize(training_data=dataset): the engine makes the loader itself (deepspeed/runtime/dataloader.py
/// @38327e0), and takes nothing of a DataLoader that the script made.
std::vector<LensColumn> deepSpeed(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "deepspeed", "DeepSpeed (data_efficiency)")) return {*std::move(written)};
  LensColumn column =
      ownSampler(spec, "deepspeed", "DeepSpeed (training_data=)", "torch.DistributedSampler", {{"set_epoch", false}});
  column.sampler = "DistributedSampler(shuffle=True, seed=0)";
  column.makes = worded("lens", "The engine takes the dataset and creates its own DistributedSampler.");
  column.notes.push_back(
      {Severity::Error, worded("lens", "It never calls set_epoch: every epoch has the order of the first one.")});
  return {column};
}

/// Megatron-LM @d98e8a6: --dataloader-type cyclic or single, with loader.batch_size as the micro batch and world.groups
/// as its parallel sizes.
std::vector<LensColumn> megatron(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "megatron", "Megatron-LM")) return {*std::move(written)};
  if (isShuffled(spec)) {
    LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, cyclic", "megatron.MegatronPretrainingRandomSampler",
                                   {{"data_sharding", true}});
    column.makes = worded("lens",
                          "Each data-parallel rank sees only its own contiguous part of the dataset, with the same "
                          "permutation on all ranks.");
    column.notes.push_back(
        {Severity::Warning, worded("lens", "The seed is the epoch alone: every run has the same order.")});
    return {column};
  }
  LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, single", "megatron.MegatronPretrainingSampler", {});
  column.makes = worded("lens", "Each step takes the next samples in order, one micro batch per data-parallel rank.");
  column.notes.push_back(
      {Severity::Info, worded("lens", "Its samplers do not shuffle; in Megatron-LM the dataset's own index does.")});
  column.notes.push_back({Severity::Info, worded("lens", "Samples that do not fill a step on all ranks are dropped.")});
  return {column};
}

namespace {

const char* const kRandom = "megatron_bridge.MegatronPretrainingRandomSampler";
const char* const kBefore = "before_2026-09-03";
const char* const kSince = "since_2026-09-03";

std::string titleOf(const std::string& release) {
  return release == kSince ? worded("lens", "Megatron-Bridge since 2026-09-03, cyclic")
                           : worded("lens", "Megatron-Bridge before 2026-09-03, cyclic");
}

/// One of the two releases, which differ without data_sharding.
LensColumn cyclic(const PipelineSpec& spec, const std::string& id, const std::string& release,
                  std::map<std::string, Value> parameters) {
  parameters["release"] = release;
  LensColumn column = ownSampler(spec, id, titleOf(release), kRandom, std::move(parameters));
  column.notes.push_back(
      {Severity::Warning, worded("lens", "The seed is the epoch alone: every run has the same order.")});
  if (release == kSince) {
    column.makes = worded("lens", "One permutation of the whole dataset, cut to whole steps of all ranks.");
    column.notes.push_back(
        {Severity::Info,
         worded("lens", "Built from the description of PR 5944, and not compared with recorded output of the class.")});
  } else {
    column.makes = worded("lens", "One permutation of all whole micro batches, through which the ranks stride.");
    column.notes.push_back(
        {Severity::Warning,
         worded("lens", "Ranks may get different numbers of batches, and then wait for each other.")});
  }
  return column;
}

}  // namespace

/// Megatron-Bridge @067f987, before PR 5944 of 2026-09-03 and after it: dataloader_type cyclic without data_sharding,
/// or single.
std::vector<LensColumn> megatronBridge(const PipelineSpec& spec) {
  const std::string id = "megatron_bridge";
  if (spec.sampler.type == kRandom) {
    const auto release = spec.sampler.parameters.find("release");
    const bool since = release != spec.sampler.parameters.end() && release->second == Value(std::string(kSince));
    LensColumn other =
        cyclic(spec, since ? id + "-before" : id + "-since", since ? kBefore : kSince, spec.sampler.parameters);
    LensColumn own = *writtenFor(spec, id, titleOf(since ? kSince : kBefore));
    if (!since) other.remedy_of = id;
    return {std::move(own), std::move(other)};
  }
  if (auto written = writtenFor(spec, id, "Megatron-Bridge")) return {*std::move(written)};
  if (isShuffled(spec)) {
    LensColumn before = cyclic(spec, id, kBefore, {{"data_sharding", false}});
    LensColumn since = cyclic(spec, id + "-since", kSince, {{"data_sharding", false}});
    since.remedy_of = id;
    return {std::move(before), std::move(since)};
  }
  LensColumn column = ownSampler(spec, id, "Megatron-Bridge, single", "megatron_bridge.MegatronPretrainingSampler", {});
  column.makes = worded("lens", "Each step takes the next samples in order, one micro batch per data-parallel rank.");
  column.notes.push_back({Severity::Info, worded("lens", "Samples that do not fill a step on all ranks are dropped.")});
  return {column};
}

/// fairseq @3d262bb: task.get_batch_iterator(dataset, max_sentences=batch_size, seed=...).
std::vector<LensColumn> fairseq(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "fairseq", "fairseq EpochBatchIterator")) return {*std::move(written)};
  LensColumn column = ownSampler(spec, "fairseq", "fairseq EpochBatchIterator", "fairseq.EpochBatchIterator",
                                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}});
  column.makes = isShuffled(spec) ? worded("lens",
                                           "Batches of neighbours are made once; each epoch shuffles the batches and "
                                           "hands them to the ranks in turn.")
                                  : worded("lens", "Batches of neighbours go to the ranks in turn.");
  column.notes.push_back(
      {Severity::Warning,
       worded("lens",
              "Shown for a dataset whose ordered_indices() keeps its order; most of fairseq's sort by length first.")});
  column.notes.push_back(
      {Severity::Info, worded("lens", "Ranks with too few batches get empty ones; drop_last has no effect.")});
  column.notes.push_back(
      {Severity::Info, filled(worded("lens", "With --seed %1; its default is 1."), std::to_string(spec.seeds.base))});
  return {column};
}

}  // namespace shardlens::lenses
