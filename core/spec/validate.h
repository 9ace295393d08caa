// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"

namespace shardlens {

/// Everything that is wrong with the spec, in the order of the file; empty when it can be planned. Places carry field
/// paths; whoever read the spec from a file adds line and column.
Issues validate(const PipelineSpec& spec, SamplerCatalogue catalogue);

}  // namespace shardlens
