// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

/// detectron2's samplers (detectron2/data/samplers, 02b5c4e).
SamplerRule detectron2TrainingSampler();
SamplerRule detectron2RandomSubsetTrainingSampler();
SamplerRule detectron2RepeatFactorTrainingSampler();
SamplerRule detectron2InferenceSampler();
SamplerRule detectron2GroupedBatchSampler();

/// RepeatFactorTrainingSampler.repeat_factors_from_category_frequency: one factor per image, from the categories in it;
/// single precision, as the framework keeps them.
std::vector<float> repeatFactorsFromCategories(const std::vector<std::vector<std::int64_t>>& categories_per_image,
                                               double repeat_thresh, bool square_root);

}  // namespace shardlens::sampling
