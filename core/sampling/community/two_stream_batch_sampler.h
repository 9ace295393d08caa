// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// TwoStreamBatchSampler of CuriousAI/mean-teacher @546348f, pytorch/mean_teacher/data.py.
SamplerRule meanTeacherTwoStreamBatchSampler();

/// TwoStreamBatchSampler of HiLab-git/SSL4MIS @06df604, code/dataloaders/dataset.py: the same algorithm.
SamplerRule ssl4misTwoStreamBatchSampler();

}  // namespace shardlens::sampling
