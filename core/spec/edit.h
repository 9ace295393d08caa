// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"
#include "core/spec/value.h"

#include <span>
#include <string>

namespace shardlens {

/// One change of the spec: a field's path ("sampler.rank", "run.delays[2].ms") and its new value.
struct Edit {
  std::string path;
  Value value;

  bool operator==(const Edit&) const = default;
};

/// The spec with all edits made, in their order. A new `sampler.type` keeps the parameters that the new type takes too
/// and drops the others; a list of ranks_per_node says how many nodes there are. The first edit that names no field, or
/// that its field refuses, is the error; nothing is checked across fields (see validate()).
Result<PipelineSpec> applyEdits(PipelineSpec spec, std::span<const Edit> edits, SamplerCatalogue catalogue);

}  // namespace shardlens
