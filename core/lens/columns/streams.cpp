// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens::lenses {

/// MosaicML Streaming @89e7bb9: StreamingDataset(shuffle=..., batch_size=loader.batch_size) in a plain DataLoader.
std::vector<LensColumn> streaming(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "streaming", "MosaicML Streaming")) return {*std::move(written)};
  const bool shuffled = isShuffled(spec);
  LensColumn column =
      ownSampler(spec, "streaming", "MosaicML Streaming", "streaming.StreamingDataset", {{"shuffle", shuffled}});
  column.when = worded("lens", "when the dataset is iterated");
  column.makes =
      shuffled
          ? worded("lens",
                   "The dataset is cut into one contiguous part per node, shuffled within it, and divided among the "
                   "ranks and their workers.")
          : worded(
                "lens",
                "The dataset is cut into one contiguous part per node and divided among the ranks and their workers.");
  if (spec.dataset.shards.empty()) {
    column.notes.push_back(
        {Severity::Warning, worded("lens", "Shown as if all samples were in one shard: fill in dataset.shards.")});
  }
  if (shuffled) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens",
                "With shuffle_algo='py1e' and shuffle_seed=9176, its defaults: every run has the same order.")});
  }
  if (spec.world.nodes > 1) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens",
                "Another number of nodes gives another order, unless num_canonical_nodes is set (streaming PR 479).")});
  }
  return {column};
}

namespace {

std::map<std::string, Value> parametersOf(const PipelineSpec& spec, const char* nodesplitter) {
  std::map<std::string, Value> parameters = {{"nodesplitter", std::string(nodesplitter)}};
  if (!isShuffled(spec)) return parameters;
  parameters["shardshuffle"] = std::int64_t{100};
  parameters["detshuffle"] = true;
  parameters["seed"] = spec.seeds.base;
  return parameters;
}

LensColumn reading(const PipelineSpec& spec, std::string id, std::string title, const char* nodesplitter) {
  LensColumn column =
      ownSampler(spec, std::move(id), std::move(title), "webdataset.WebDataset", parametersOf(spec, nodesplitter));
  column.makes = worded("lens", "Each worker of each rank reads its own tar files, one after another.");
  column.when = worded("lens", "when the first sample is read");
  if (isShuffled(spec)) {
    column.notes.push_back(
        {Severity::Warning, worded("lens",
                                   "The tar files are shuffled, but not the samples in them: that takes a .shuffle(n), "
                                   "which is seeded by time and process unless it gets a seed.")});
  }
  return column;
}

}  // namespace

/// WebDataset @e0953f9: WebDataset(urls, shardshuffle=100, detshuffle=True), a tar file for each of dataset.shards.
std::vector<LensColumn> webdataset(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "webdataset", "WebDataset")) return {*std::move(written)};
  if (spec.dataset.shards.empty()) {
    LensColumn column;
    column.id = "webdataset";
    column.title = "WebDataset";
    column.makes = worded("lens", "It reads tar files, and divides files rather than samples.");
    leaveOpen(column, spec,
              worded("lens", "the design does not say how many samples each tar file has (fill in dataset.shards)"));
    return {column};
  }
  if (spec.worldSize() == 1) return {reading(spec, "webdataset", "WebDataset", "split_by_node")};
  LensColumn refused = reading(spec, "webdataset", "WebDataset", "single_node_only");
  refused.makes =
      worded("lens", "It refuses more than one rank until the script says how tar files are split between ranks.");
  LensColumn remedy = reading(spec, "webdataset-split", "nodesplitter=wds.split_by_node", "split_by_node");
  remedy.remedy_of = "webdataset";
  return {std::move(refused), std::move(remedy)};
}

namespace {

bool gives(const PipelineSpec& spec, const std::string& key, const char* value) {
  const auto given = spec.sampler.parameters.find(key);
  return given != spec.sampler.parameters.end() && given->second == Value(std::string(value));
}

bool says(const PipelineSpec& spec, const std::string& key) {
  const auto given = spec.sampler.parameters.find(key);
  return given != spec.sampler.parameters.end() && given->second != Value(false) &&
         given->second != Value(std::string("none"));
}

/// shuffle=True, and no more: the loader makes the sampler itself.
bool isShuffleFlag(const PipelineSpec& spec) {
  return spec.sampler.type == "torch.RandomSampler" && !says(spec, "replacement") && !says(spec, "num_samples") &&
         !gives(spec, "generator", "sampler");
}

/// Not in a torch DataLoader as the script made it.
bool isElsewhere(const std::string& type) {
  constexpr std::array<std::string_view, 7> kOwnLoaders = {"accelerate", "fairseq", "ffcv",     "grain",
                                                           "llmc",       "nanogpt", "olmo_core"};
  return std::ranges::find(kOwnLoaders, sampling::frameworkOf(type)) != kOwnLoaders.end();
}

void keep(LensColumn& column, const PipelineSpec& spec) {
  column.spec = spec;
  column.sampler = samplerCode(spec);
  column.makes = worded("lens", "It keeps the sampler that it gets.");
  if (spec.sampler.type == "torch.DistributedSampler") {
    const bool epoch_in_state = spec.framework.torchdata != "0.11";
    column.notes.push_back(
        {Severity::Info,
         epoch_in_state
             ? worded("lens",
                      "To resume without iterating over what was read, use its StatefulDistributedSampler: the same "
                      "order. Its state holds the epoch.")
             : worded("lens",
                      "To resume without iterating over what was read, use its StatefulDistributedSampler: the same "
                      "order. Call set_epoch before load_state_dict (pytorch/data#1513).")});
  }
}

void makeRandomSampler(LensColumn& column, const PipelineSpec& spec) {
  if (gives(spec, "generator", "loader")) {
    column.makes = worded("lens", "shuffle=True creates a RandomSampler that shares the loader's generator.");
    return leaveOpen(column, spec,
                     worded("lens", "ShardLens does not model when the loader draws from that generator in between"));
  }
  column.spec = withSampler(spec, "torchdata.RandomSampler", {{"generator_seed", std::string("global")}});
  column.sampler = samplerCode(*column.spec);
  column.makes = worded(
      "lens", "shuffle=True creates a RandomSampler: its generator is seeded once and continues over the epochs.");
  if (spec.seeds.rule == "same" && spec.worldSize() > 1) {
    column.notes.push_back(
        {Severity::Error, worded("lens", "Nothing divides the samples: every rank draws identical batches.")});
  } else if (spec.worldSize() > 1) {
    column.notes.push_back(
        {Severity::Error, worded("lens", "Nothing divides the samples: every rank draws from all of them.")});
  }
}

}  // namespace

/// torchdata @088e434: StatefulDataLoader in the place of torch's DataLoader, with the same arguments.
std::vector<LensColumn> torchdata(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "torchdata";
  column.title = "torchdata StatefulDataLoader";
  if (isElsewhere(spec.sampler.type)) {
    leaveOpen(column, spec, filled(worded("lens", "%1 is not a sampler of a torch DataLoader"), spec.sampler.type));
  } else if (sampling::frameworkOf(spec.sampler.type) == "streaming") {
    leaveOpen(column, spec,
              worded("lens",
                     "StreamingDataset has a state_dict that needs arguments, and torchdata calls it without any: use "
                     "Streaming's StreamingDataLoader"));
  } else if (isShuffleFlag(spec)) {
    makeRandomSampler(column, spec);
  } else {
    keep(column, spec);
  }
  return {column};
}

namespace {

std::string makes(const PipelineSpec& spec) {
  if (isShuffled(spec))
    return worded("lens", "Each rank has one contiguous part of the dataset, shuffled within that part.");
  return spec.loader.num_workers > 0
             ? worded("lens", "Each rank has one contiguous part of the dataset, divided among its workers.")
             : worded("lens", "Each rank has one contiguous part of the dataset, in order.");
}

}  // namespace

/// Grain @f5dd0d8: DataLoader over IndexSampler(shard_options=ShardByJaxProcess(), num_epochs=1) and a Batch operation.
std::vector<LensColumn> grain(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "grain", "Grain DataLoader")) return {*std::move(written)};
  LensColumn column =
      ownSampler(spec, "grain", "Grain DataLoader", "grain.IndexSampler",
                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}, {"num_epochs", std::int64_t{1}}});
  column.makes = makes(spec);
  if (isShuffled(spec)) {
    column.notes.push_back(
        {Severity::Warning,
         worded(
             "lens",
             "A second pass over the loader has the same order: epochs are counted within one pass, by num_epochs.")});
  }
  if (spec.loader.num_workers > 0) {
    column.notes.push_back({Severity::Info, worded("lens",
                                                   "Each of the worker_count workers makes batches from its own share "
                                                   "of the records.")});
  }
  column.notes.push_back(
      {Severity::Info,
       worded("lens",
              "With ShardByJaxProcess() and one process per rank; without it every process reads everything.")});
  return {column};
}

}  // namespace shardlens::lenses
