// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

#include <optional>
#include <string>
#include <string_view>

namespace shardlens::yaml {

/// `old_text` changed so that it says `spec`: only values that differ are replaced, missing keys are added, parameters
/// of another sampler removed; comments, order and spelling of everything else stay. Nothing when the old text is not a
/// sound spec of this format or when its structure does not allow it; the result is known to read as `spec`.
std::optional<std::string> updateText(std::string_view old_text, const PipelineSpec& spec, SamplerCatalogue catalogue);

}  // namespace shardlens::yaml
