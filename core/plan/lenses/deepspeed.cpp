// SPDX-License-Identifier: Apache-2.0
#include "core/plan/lenses/lenses.h"
#include "core/plan/lenses/user_loader.h"

namespace shardlens::lenses {

/// deepspeed.initialize(training_data=dataset): the engine makes the loader itself (deepspeed/runtime/dataloader.py
/// @38327e0), and takes nothing of a DataLoader that the script made.
std::vector<LensColumn> deepSpeed(const PipelineSpec& spec) {
  LensColumn column;
  column.id = "deepspeed";
  column.title = "DeepSpeed (training_data=)";
  column.spec = withSampler(spec, "torch.DistributedSampler", {{"set_epoch", false}});
  column.sampler = "DistributedSampler(shuffle=True, seed=0)";
  column.notes.push_back(
      {Severity::Error, "Nothing in its runtime calls set_epoch: every epoch has the order of the first one."});
  const auto loader = userLoaderOf(spec);
  const bool same = spec.sampler.type == "torch.DistributedSampler";
  if (!same && (!loader || loader->sampler.kind != sampling::UserSampler::Kind::Random)) {
    column.notes.push_back(
        {Severity::Warning, "It takes the dataset, not the sampler: the order that was written is lost."});
  }
  return {column};
}

}  // namespace shardlens::lenses
