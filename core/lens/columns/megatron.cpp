// SPDX-License-Identifier: Apache-2.0
#include "core/lens/columns/columns.h"

namespace shardlens::lenses {

/// Megatron-LM @d98e8a6: --dataloader-type cyclic or single, with loader.batch_size as the micro batch and the world as
/// the data-parallel ranks.
std::vector<LensColumn> megatron(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "megatron", "Megatron-LM")) return {*std::move(written)};
  if (isShuffled(spec)) {
    LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, cyclic", "megatron.MegatronPretrainingRandomSampler",
                                   {{"data_sharding", true}});
    column.makes = "Each rank only ever sees a stretch of the dataset of its own, permuted alike on all ranks.";
    column.notes.push_back({Severity::Warning, "The epoch alone is the seed: every run has the same order."});
    return {column};
  }
  LensColumn column = ownSampler(spec, "megatron", "Megatron-LM, single", "megatron.MegatronPretrainingSampler", {});
  column.makes = "Each step takes the next samples in order, a micro batch for each rank.";
  column.notes.push_back({Severity::Info, "Its samplers do not shuffle; in Megatron-LM the dataset's own index does."});
  column.notes.push_back({Severity::Info, "What does not fill a step on all ranks is dropped."});
  return {column};
}

}  // namespace shardlens::lenses
