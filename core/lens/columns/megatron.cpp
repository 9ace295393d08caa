// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

namespace shardlens::lenses {

/// Megatron-LM @d98e8a6: --dataloader-type cyclic or single, with loader.batch_size as the micro batch and the world as
/// the data-parallel ranks.
std::vector<LensColumn> megatron(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "megatron", "Megatron-LM")) return {*std::move(written)};
  if (isShuffled(spec)) {
    LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, cyclic", "megatron.MegatronPretrainingRandomSampler",
                                   {{"data_sharding", true}});
    column.makes = worded(
        "lens", "Each rank sees only its own contiguous part of the dataset, with the same permutation on all ranks.");
    column.notes.push_back(
        {Severity::Warning, worded("lens", "The seed is the epoch alone: every run has the same order.")});
    return {column};
  }
  LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, single", "megatron.MegatronPretrainingSampler", {});
  column.makes = worded("lens", "Each step takes the next samples in order, one micro batch per rank.");
  column.notes.push_back(
      {Severity::Info, worded("lens", "Its samplers do not shuffle; in Megatron-LM the dataset's own index does.")});
  column.notes.push_back({Severity::Info, worded("lens", "Samples that do not fill a step on all ranks are dropped.")});
  return {column};
}

}  // namespace shardlens::lenses
