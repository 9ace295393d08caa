// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// pytorch_metric_learning.samplers.MPerClassSampler: m samples of one class after m of another, chosen by NumPy's
/// global stream. Source: KevinMusgrave/pytorch-metric-learning @216a792, samplers/m_per_class_sampler.py.
SamplerRule pmlMPerClassSampler();

/// len() of the spec's sampler, which the number of items it yields may exceed.
std::int64_t pmlLength(const PipelineSpec& spec);

}  // namespace shardlens::sampling
