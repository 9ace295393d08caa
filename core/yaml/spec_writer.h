// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"
#include "core/spec/sampler_info.h"
#include "core/yaml/spec_layout.h"

#include <string>

namespace shardlens::yaml {

/// The spec as a short canonical file: one line per section, the main keys always, others only where they differ from
/// their defaults. readSpec gives the same spec back when it was valid under the same catalogue.
std::string writeSpec(const PipelineSpec& spec, SamplerCatalogue catalogue);

/// One key of that file without a line end: "world: {nodes: 1, ranks_per_node: 2}". Keys that say nothing are left out
/// of a section unless `main_keys`.
std::string writeItem(const PipelineSpec& spec, const LayoutItem& item, bool main_keys);

}  // namespace shardlens::yaml
