// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// The parameter aspect_ratios of samplers that keep tall images and wide ones apart, and what it says.
Field mmdetAspectRatiosField();
NumberList mmdetAspectRatios(const PipelineSpec& spec, const SamplerInfo& info);
/// BadInput unless there is one number for each sample, or none at all.
Result<void> checkMmdetAspectRatios(const PipelineSpec& spec, const SamplerInfo& info);

/// Whether an image is as wide as high, or wider; without ratios every second one is.
bool mmdetIsWide(const NumberList& ratios, SampleIndex image);

}  // namespace shardlens::sampling
