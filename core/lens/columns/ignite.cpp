// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/inner_sampler.h"

#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

/// Wraps the sampler as DistributedProxySampler does, with its own parameters beside the wrapper's.
void wrap(LensColumn& column, const PipelineSpec& spec) {
  const std::string inner = sampling::innerNameOf(spec.sampler.type);
  if (inner.empty()) {
    column.spec.reset();
    leaveOpen(column, spec,
              filled(worded("lens", "ShardLens does not model how a DistributedProxySampler handles %1"),
                     sampling::samplerName(spec.sampler.type)));
    return;
  }
  if (!sampling::rankSeedPath(spec).empty()) {
    column.spec.reset();
    leaveOpen(column, spec,
              worded("lens", "ShardLens does not model how it divides orders that differ from rank to rank"));
    return;
  }
  std::map<std::string, Value> parameters = spec.sampler.parameters;
  parameters["inner"] = inner;
  const auto generator = parameters.find("generator");
  const bool has_own = generator != parameters.end() && generator->second != Value(std::string("none"));
  if (has_own) generator->second = std::string("sampler");
  column.spec->sampler = {"ignite.DistributedProxySampler", std::move(parameters)};
  column.makes = worded("lens", "It wraps the sampler: every rank draws all its passes alike and keeps its share.");
  if (has_own) return;
  column.notes.push_back(
      {Severity::Warning,
       worded("lens",
              "It seeds torch's global generator with the epoch on every rank: seeds of the script have no effect.")});
}

/// The sampler that a loader without one gets.
void divide(LensColumn& column, bool shuffle) {
  column.spec->sampler = {"torch.DistributedSampler", {{"shuffle", shuffle}, {"set_epoch", false}}};
  column.makes = worded("lens", "It creates a DistributedSampler for a loader that was given no sampler.");
  if (!shuffle) return;
  column.notes.push_back(
      {Severity::Warning,
       worded("lens", "Nothing calls set_epoch by itself: without a handler that does, every epoch has one order.")});
}

void adapt(LensColumn& column, const PipelineSpec& spec) {
  using Part = sampling::LoaderPart;
  const bool bare = spec.sampler.parameters.empty();
  const Part part = sampling::traitsOf(spec).loader_part;
  if (part == Part::Distributed) {
    column.makes = worded("lens", "It keeps the DistributedSampler of the script.");
  } else if (part == Part::BatchSampler) {
    column.makes = worded("lens", "It leaves a batch sampler as it is, and warns.");
  } else if (spec.sampler.type == "torch.SequentialSampler" || (spec.sampler.type == "torch.RandomSampler" && bare)) {
    divide(column, spec.sampler.type == "torch.RandomSampler");
  } else if (sampling::findRule(spec.sampler.type)->claims(spec).is_stream) {
    column.makes = worded("lens", "It leaves a stream as it is.");
  } else {
    wrap(column, spec);
  }
}

}  // namespace

/// PyTorch-Ignite @de08e79, idist.auto_dataloader(): batch size and workers are those of all ranks, and of all ranks of
/// a node; a DistributedSampler stays, and any other sampler is wrapped.
std::vector<LensColumn> ignite(const PipelineSpec& spec) {
  const std::string title = "Ignite auto_dataloader";
  if (auto written = writtenFor(spec, "ignite", title)) return {*std::move(written)};
  LensColumn column;
  column.id = "ignite";
  column.title = title;
  column.spec = spec;
  if (spec.worldSize() == 1) {
    column.makes = worded("lens", "On one process it changes neither the sampler nor the batches.");
    column.sampler = samplerCode(spec);
    return {column};
  }
  adapt(column, spec);
  if (!column.spec) return {column};
  auto& loader = column.spec->loader;
  if (loader.batch_size >= spec.worldSize() &&
      sampling::traitsOf(spec).loader_part != sampling::LoaderPart::BatchSampler) {
    loader.batch_size /= spec.worldSize();
    column.notes.push_back(
        {Severity::Warning, filled(worded("lens", "It takes batch_size as the total of all ranks: each gets %1."),
                                   std::to_string(loader.batch_size))});
  }
  const std::int64_t per_node =
      spec.world.mostRanksOnNode();  // an all-reduce of local_rank + 1 that takes the greatest
  if (loader.num_workers >= per_node) loader.num_workers = (loader.num_workers + per_node - 1) / per_node;
  column.sampler = samplerCode(*column.spec);
  return {column};
}

}  // namespace shardlens::lenses
