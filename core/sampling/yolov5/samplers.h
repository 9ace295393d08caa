// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// SmartDistributedSampler of YOLOv5 (`utils/dataloaders.py` @5081342): each rank keeps its own images for good, and
/// permutes their numbers within the rank. The plan names the images, not those numbers.
SamplerRule yolov5SmartDistributedSampler();

/// InfiniteDataLoader of the same file, as the training script makes it: one endless iterator, whose workers ask for
/// batches of a pass before its epoch begins.
SamplerRule yolov5InfiniteDataLoader();

/// The images that a rank keeps, ascending: their place is the number that its sampler yields for them.
std::vector<std::uint32_t> yolov5Images(std::int64_t images, std::int64_t ranks, Rank rank);

/// The numbers that the sampler of a rank yields.
struct Yolov5Pass {
  std::int64_t images = 0;  ///< of the dataset
  std::int64_t ranks = 1;
  bool shuffle = true;
  bool drop_last = false;
  std::uint64_t seed = 0;  ///< seed + epoch

  [[nodiscard]] std::int64_t yielded() const;       ///< how many on each rank
  [[nodiscard]] std::int64_t own(Rank rank) const;  ///< how many images the class believes that a rank has
  [[nodiscard]] std::vector<std::int64_t> numbers(std::string_view torch, Rank rank) const;
};

/// All ranks' images for such a pass, dealt rank after rank; nothing for a rank without images.
Result<OrderPtr> yolov5Order(const PipelineSpec& spec, const Yolov5Pass& pass, const Work& work);
/// What a rank without images raises when its loader asks for one.
Result<void> checkYolov5Rank(const Yolov5Pass& pass, Rank rank);
SliceShape yolov5Shape(const Yolov5Pass& pass, Rank rank);

}  // namespace shardlens::sampling
