// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/sampler_info.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shardlens::sampling {

/// Every sampler of this build: one row each. Adding a sampler is one file in its
/// framework's folder and one row in registry.cpp.
std::span<const SamplerRule> rules();

/// The infos of rules(), for validation, forms and docs.
SamplerCatalogue catalogue();

/// The rule of `type`, or null.
const SamplerRule* findRule(const std::string& type);

/// The framework that a type names: "torch" of "torch.RandomSampler".
std::string_view frameworkOf(std::string_view type);

/// The traits of the spec's sampler; none for an unknown sampler.
const SamplerTraits& traitsOf(const PipelineSpec& spec);

/// Unsupported where ranks divide one copy of the model and it is not known what the spec's sampler gives to them.
Result<void> checkPeers(const PipelineSpec& spec);

/// How many batches of each rank go into one optimizer step, where the spec says it: the sampler's own parameter, 1
/// where the sampler deals out global batches, or loader.gradient_accumulation_steps above 1.
std::optional<std::int64_t> batchesPerStep(const PipelineSpec& spec);

/// Whether an epoch that ends inside an optimizer step ends with a smaller one, as by default in the loops of
/// Accelerate and Lightning. A script's own loop may add these gradients to the next epoch, or throw them away.
bool stepsAtEnd(const PipelineSpec& spec);

/// Whether loader.batch_size is that of all ranks together: the framework splits each batch over them.
bool splitsBatches(const PipelineSpec& spec);

/// How many samples all ranks together take in an optimizer step; the largest number where they are more.
std::int64_t globalBatch(const PipelineSpec& spec);

/// What the spec's sampler does by design.
SamplerClaims claimsOf(const PipelineSpec& spec);

}  // namespace shardlens::sampling
