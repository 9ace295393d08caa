// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/sampler_info.h"

#include <span>
#include <string>

namespace shardlens::sampling {

/// Every sampler of this build: one row each. Adding a sampler is one file beside this one and one row in registry.cpp.
std::span<const SamplerRule> rules();

/// The infos of rules(), for validation, forms and docs.
SamplerCatalogue catalogue();

/// The rule of `type`, or null.
const SamplerRule* findRule(const std::string& type);

}  // namespace shardlens::sampling
