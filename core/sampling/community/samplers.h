// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/torch_generator.h"
#include "core/sampling/sampler_rule.h"

namespace shardlens::sampling {

/// torchsampler.ImbalancedDatasetSampler (ufoym/imbalanced-dataset-sampler, `torchsampler/imbalanced.py` @01cb129):
/// torch.multinomial with replacement, each sample weighted by 1 / the size of its class in dataset.labels. Draws from
/// the rank's global torch generator, after base_seed.
SamplerRule imbalancedDatasetSampler();

/// One pass of the spec's sampler with this generator: what `list(sampler)` is.
Result<OrderPtr> imbalancedOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work);

/// pytorch_metric_learning.samplers.MPerClassSampler: m samples of one class after m of another, chosen by NumPy's
/// global stream. Source: KevinMusgrave/pytorch-metric-learning @216a792, samplers/m_per_class_sampler.py.
SamplerRule pmlMPerClassSampler();

/// len() of the spec's sampler, which the number of items it yields may exceed.
std::int64_t pmlLength(const PipelineSpec& spec);

/// TwoStreamBatchSampler of CuriousAI/mean-teacher @546348f, pytorch/mean_teacher/data.py.
SamplerRule meanTeacherTwoStreamBatchSampler();

/// TwoStreamBatchSampler of HiLab-git/SSL4MIS @06df604, code/dataloaders/dataset.py: the same algorithm.
SamplerRule ssl4misTwoStreamBatchSampler();

}  // namespace shardlens::sampling
