// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <algorithm>
#include <string>

namespace shardlens::lenses {
namespace {

/// One pass over the dataset in whole batches: the stream has no short ones.
std::int64_t onePass(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  const auto up = [](std::int64_t number, std::int64_t unit) {
    return (number / unit + (number % unit == 0 ? 0 : 1)) * unit;
  };
  const std::int64_t samples = up(spec.dataset.size, spec.worldSize()) / spec.worldSize();
  return std::clamp<std::int64_t>(up(samples, batch), 1, 1'000'000'000);
}

LensColumn training(const PipelineSpec& spec) {
  LensColumn column =
      ownSampler(spec, "detectron2", worded("lens", "detectron2, training"), "detectron2.TrainingSampler",
                 {{"seed", spec.seeds.base}, {"samples_per_epoch", onePass(spec)}});
  column.makes = worded(
      "lens", "One endless stream of permutations is divided sample by sample: an epoch here is its next section.");
  column.notes.push_back({Severity::Warning, worded("lens",
                                                    "By default aspect_ratio_grouping puts wide and tall images into "
                                                    "separate batches: shown is aspect_ratio_grouping=False.")});
  column.notes.push_back(
      {Severity::Info,
       filled(worded("lens", "With TrainingSampler(size, seed=%1); without a seed the ranks agree on a random one."),
              std::to_string(spec.seeds.base))});
  column.notes.push_back({Severity::Info, worded("lens", "total_batch_size is the batch size of all ranks together.")});
  return column;
}

LensColumn evaluation(const PipelineSpec& spec) {
  LensColumn column =
      ownSampler(spec, "detectron2", worded("lens", "detectron2, evaluation"), "detectron2.InferenceSampler", {});
  column.spec->loader.drop_last = false;
  column.makes = worded(
      "lens",
      "Each rank reads one contiguous part of the dataset, nothing twice; the first ranks may read one sample more.");
  column.notes.push_back(
      {Severity::Info, worded("lens", "build_detection_test_loader takes batch_size; its default is 1.")});
  return column;
}

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

/// detectron2 @02b5c4e: build_detection_train_loader for what is shuffled, build_detection_test_loader for the rest.
std::vector<LensColumn> detectron2(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "detectron2", "detectron2")) return {*std::move(written)};
  return {isShuffled(spec) ? training(spec) : evaluation(spec)};
}

/// mmengine @2543429: sampler=dict(type='DefaultSampler', shuffle=...) of an epoch-based runner with
/// randomness=dict(seed=seeds.base).
std::vector<LensColumn> mmengine(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "mmengine", "mmengine Runner")) return {*std::move(written)};
  LensColumn column = ownSampler(spec, "mmengine", "mmengine Runner", "mmengine.DefaultSampler",
                                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}});
  column.makes =
      worded("lens",
             "Its DefaultSampler divides the dataset sample by sample, padded so that all ranks have the same number.");
  column.notes.push_back(
      {Severity::Info,
       filled(worded("lens", "With randomness=dict(seed=%1); without a seed the ranks agree on one from the clock."),
              std::to_string(spec.seeds.base))});
  if (spec.loader.num_workers > 0) {
    column.notes.push_back(
        {Severity::Warning,
         worded("lens",
                "Workers are seeded by rank and worker alone: new workers augment the same way in every epoch.")});
  }
  return {column};
}

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
