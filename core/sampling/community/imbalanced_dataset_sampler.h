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
/// Outputs of the generator that one pass consumes.
std::uint64_t imbalancedOutputs(const PipelineSpec& spec);

}  // namespace shardlens::sampling
