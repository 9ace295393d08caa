// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/accelerate_stream.h"

#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"

namespace shardlens::lenses {
namespace {

/// Rank 0's copy yields the dataset from its beginning to its end.
bool isWholeOnRankZero(const PipelineSpec& spec) {
  const auto split = spec.sampler.parameters.find("world_split");
  const bool whole = split == spec.sampler.parameters.end() || split->second == Value(std::string("none"));
  return spec.sampler.type == "torch.IterableDataset" && whole && spec.loader.num_workers == 0;
}

}  // namespace

bool isStream(const std::string& type) {
  return type == "torch.IterableDataset" || type == "datasets.IterableDataset" ||
         sampling::frameworkOf(type) == "webdataset" || sampling::frameworkOf(type) == "streaming";
}

void dealStream(LensColumn& column, const PipelineSpec& spec) {
  column.makes = worded("lens", "Only rank 0 reads the dataset, and sends every process its part of each batch.");
  if (!isWholeOnRankZero(spec)) {
    return leaveOpen(
        column, spec,
        worded("lens", "ShardLens does not model what workers, or a dataset that divides itself, give to rank 0"));
  }
  column.spec = withSampler(spec, "accelerate.DataLoaderDispatcher", {{"shuffle", false}});
  column.sampler = samplerCode(*column.spec);
}

}  // namespace shardlens::lenses
