// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::capture {

/// A rule with its flags and choices, whose seed is still open.
struct RuleCandidate {
  std::int64_t number = 0;  ///< from 1
  const sampling::SamplerRule* rule = nullptr;
  PipelineSpec spec;
  std::int64_t changes = 0;  ///< parameters that have not their usual value
  std::string seed;          ///< the parameter that is its seed; "seeds.base": the script's; empty: it has none
};

/// Every rule that can deal `base`, with each value of its flags and choices.
std::vector<RuleCandidate> ruleCandidates(const PipelineSpec& base);

/// Puts the seed into the candidate. False when it takes no such seed.
bool setSeed(RuleCandidate& candidate, std::int64_t seed);

}  // namespace shardlens::capture
