// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::lenses {
namespace {

/// DataLoader(shuffle=True) or a sampler that says no more: what accelerate.BatchSamplerShard has parameters for.
bool isPlain(const PipelineSpec& spec) {
  if (spec.sampler.type == "torch.SequentialSampler") return true;
  if (spec.sampler.type != "torch.RandomSampler") return false;
  return std::ranges::all_of(spec.sampler.parameters, [](const auto& given) {
    return given.second == Value(false) || given.second == Value(std::string("none")) ||
           (given.first == "generator_seed");
  });
}

void dealShare(LensColumn& column, PipelineSpec spec) {
  column.makes = filled(worded("lens", "Each process keeps one batch in %1."), std::to_string(spec.worldSize()));
  column.sampler = samplerCode(spec);
  column.spec = std::move(spec);
}

void dealWritten(LensColumn& column, const PipelineSpec& spec, std::string makes) {
  column.makes = std::move(makes);
  column.spec = spec;
  tellEpoch(*column.spec);  // DataLoaderShard.__iter__ calls set_epoch for a sampler that has it
  column.sampler = samplerCode(*column.spec);
}

PipelineSpec shardOf(const PipelineSpec& spec) {
  if (isPlain(spec)) return withSampler(spec, "accelerate.BatchSamplerShard", {{"shuffle", isShuffled(spec)}});
  // Of generators, rank 0's is sent to all.
  auto parameters = sampling::seededAs(spec, Rank{0}).sampler.parameters;
  parameters["inner"] = spec.sampler.type;
  return withSampler(spec, "accelerate.DataLoaderShard", std::move(parameters));
}

/// Whether a DistributedSampler is given more than one slice to divide into.
bool divides(const PipelineSpec& spec) {
  const auto found = spec.sampler.parameters.find("num_replicas");
  return found == spec.sampler.parameters.end() || found->second != Value(std::int64_t{1});
}

void noteShard(LensColumn& column, const PipelineSpec& written) {
  if (written.sampler.type == "torch.DistributedSampler" && divides(written)) {
    column.notes.push_back(
        {Severity::Error,
         worded("lens",
                "DistributedSampler divides, and prepare() divides again, without a warning. Leave the sampler out.")});
  } else if (sampling::traitsOf(written).draws_from_numpy && sampling::seedsRanksApart(written)) {
    column.notes.push_back(
        {Severity::Error, worded("lens",
                                 "The ranks draw different random numbers, and nothing synchronizes NumPy: each takes "
                                 "its share of a different stream, so several ranks may read one sample, and no rank "
                                 "another.")});
  }
  if (written.sampler.type == "torch.RandomSampler" || written.sampler.type == "torch.WeightedRandomSampler" ||
      written.sampler.type == "torch.SubsetRandomSampler") {
    column.notes.push_back({Severity::Info, worded("lens",
                                                   "Rank 0's generator is sent to all ranks in each epoch: the ranks "
                                                   "share one order, whatever they are seeded with.")});
  }
  if (!written.loader.drop_last) {
    column.notes.push_back(
        {Severity::Info, worded("lens", "even_batches fills up an incomplete end with samples of the first batches.")});
  }
  column.notes.push_back(
      {Severity::Info,
       worded("lens", "batch_size is per process; with split_batches it is the total of all processes.")});
}

/// What is left when the script leaves its DistributedSampler out.
LensColumn withoutSampler(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "accelerate-shuffle";
  column.remedy_of = "accelerate";
  column.title = isShuffled(spec) ? worded("lens", "DataLoader(shuffle=True), without the sampler")
                                  : worded("lens", "Without the sampler");
  dealShare(column, withSampler(spec, "accelerate.BatchSamplerShard", {{"shuffle", isShuffled(spec)}}));
  return column;
}

}  // namespace

/// Accelerate 1.15.0.dev0 (16cb6eb): accelerator.prepare(DataLoader(...)) with DataLoaderConfiguration's defaults.
std::vector<LensColumn> accelerate(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "accelerate";
  column.title = "Accelerate prepare()";
  const std::string& type = spec.sampler.type;
  if (sampling::frameworkOf(type) == "accelerate") {
    dealWritten(column, spec, worded("lens", "The design is written for this framework, and is read as it is."));
  } else if (isStream(type)) {
    dealStream(column, spec);
  } else if (!isPlain(spec) && !sampling::accelerateShards(type)) {
    leaveOpen(column, spec,
              filled(worded("lens", "ShardLens does not model how it handles %1"), sampling::samplerName(type)));
  } else if (sampling::rankSeedPath(spec) == "sampler.seed" && spec.worldSize() > 1) {
    leaveOpen(column, spec,
              worded("lens", "ShardLens does not model how it divides orders that differ from rank to rank"));
  } else if (spec.worldSize() == 1) {
    dealWritten(column, spec, worded("lens", "With one process, the loader stays as it is."));
  } else {
    dealShare(column, shardOf(spec));
    noteShard(column, spec);
  }
  if (type != "torch.DistributedSampler" || spec.worldSize() == 1) return {column};
  return {column, withoutSampler(spec)};
}

}  // namespace shardlens::lenses
