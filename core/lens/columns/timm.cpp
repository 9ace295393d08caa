// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

namespace shardlens::lenses {
namespace {

/// create_loader(distributed=False): no sampler, and the loader's own shuffle.
LensColumn onOneRank(const PipelineSpec& spec) {
  const bool shuffled = isShuffled(spec);
  LensColumn column =
      ownSampler(spec, "timm", "timm create_loader", shuffled ? "torch.RandomSampler" : "torch.SequentialSampler", {});
  column.makes = shuffled
                     ? worded("lens",
                              "On one process timm adds no sampler: the loader shuffles by torch's global generator "
                              "and drops a short last batch.")
                     : worded("lens", "On one process timm adds no sampler: the loader reads the dataset in order.");
  column.spec->loader.drop_last = shuffled;
  return column;
}

}  // namespace

/// timm @aa4b585 create_loader(distributed=True): for training torch's DistributedSampler, for evaluation its own
/// ordered sampler; drop_last=is_training on the loader.
std::vector<LensColumn> timm(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "timm", "timm create_loader")) return {*std::move(written)};
  if (spec.worldSize() == 1) return {onOneRank(spec)};
  if (!isShuffled(spec)) {
    LensColumn column = ownSampler(spec, "timm", worded("lens", "timm create_loader, evaluation"),
                                   "timm.OrderedDistributedSampler", {});
    column.spec->loader.drop_last = false;
    column.makes = worded("lens", "The dataset in order, divided sample by sample.");
    if (spec.dataset.size % spec.worldSize() != 0) {
      column.notes.push_back(
          {Severity::Warning, worded("lens", "Padding repeats samples, so an evaluation counts some twice.")});
    }
    return {column};
  }
  LensColumn column =
      ownSampler(spec, "timm", worded("lens", "timm create_loader, training"), "torch.DistributedSampler", {});
  column.sampler = "DistributedSampler(shuffle=True, seed=0)";
  column.makes = worded("lens", "It creates its own DistributedSampler and a loader that drops a short last batch.");
  column.spec->loader.drop_last = true;
  column.notes.push_back({Severity::Info, worded("lens", "The seed is always 0.")});
  return {column};
}

}  // namespace shardlens::lenses
