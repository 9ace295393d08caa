// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// ClassAwareSampler of MMDetection (`mmdet/datasets/samplers/class_aware_sampler.py` @cfd5d3a): goes round the
/// classes, and hands out the next images of each.
SamplerRule mmdetClassAwareSampler();

/// AspectRatioBatchSampler (`mmdet/datasets/samplers/batch_sampler.py`): batches of tall images and of wide ones.
SamplerRule mmdetAspectRatioBatchSampler();

/// MultiSourceSampler (`mmdet/datasets/samplers/multi_source_sampler.py`): each batch takes fixed numbers of samples
/// from several datasets.
SamplerRule mmdetMultiSourceSampler();

/// GroupMultiSourceSampler of the same file: the same, and each batch is all tall or all wide, which each rank decides
/// for itself by NumPy's global stream.
SamplerRule mmdetGroupMultiSourceSampler();

}  // namespace shardlens::sampling
