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

}  // namespace

/// detectron2 @02b5c4e: build_detection_train_loader for what is shuffled, build_detection_test_loader for the rest.
std::vector<LensColumn> detectron2(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "detectron2", "detectron2")) return {*std::move(written)};
  return {isShuffled(spec) ? training(spec) : evaluation(spec)};
}

}  // namespace shardlens::lenses
