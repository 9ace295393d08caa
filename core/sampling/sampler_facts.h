// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::sampling {

/// A framework as it spells itself; samplers of several may have one title.
struct FrameworkTitle {
  std::string_view framework;  ///< as in the sampler's type: "torch"
  std::string_view title;      ///< "PyTorch"
};

/// Every framework of this build, in the order of lists.
std::span<const FrameworkTitle> frameworkTitles();
/// The title of `framework`, or its own name where no title is known.
std::string_view frameworkTitle(std::string_view framework);

/// What a person who chooses a sampler asks first, for the defaults of its parameters.
struct SamplerFacts {
  std::vector<std::string> needs;  ///< what it needs for an order, or draws by: "labels", "two lists", "weights"
  bool divides = false;            ///< the samples are divided among the ranks; otherwise every rank reads all of them
  bool evaluates = false;          ///< made for evaluation or prediction
};

/// Draws a few orders of 16 samples on 2 ranks: a fraction of a millisecond.
SamplerFacts factsOf(const SamplerRule& rule);

/// "divides among ranks", "all on every rank".
std::string_view ranksText(const SamplerFacts& facts);

/// The spec that shows what a sampler does: 16 samples on 2 ranks in batches of 2, everything else by
/// default.
PipelineSpec exampleSpec(const std::string& type);

}  // namespace shardlens::sampling
