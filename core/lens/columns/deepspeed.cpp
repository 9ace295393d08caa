// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

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

}  // namespace shardlens::lenses
