// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/yaml/exporter.h"

#include <vector>

namespace shardlens::yaml {

/// loader.py for any sampler: it takes its batches from the plan, by the Python package of ShardLens
/// (resources/python). A long spec is a file of its own beside it.
std::vector<ExportFile> packageLoader(const PipelineSpec& spec, SamplerCatalogue catalogue,
                                      const ExportContext& context);

}  // namespace shardlens::yaml
