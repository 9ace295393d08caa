// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace shardlens::sampling {

/// Samples of each class, ascending, the classes in the order in which they first appear.
using Classes = std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;
Classes classesOf(const IndexList& labels);

/// Says when dataset.labels does not name a class for each sample.
Result<void> checkLabels(const PipelineSpec& spec);

}  // namespace shardlens::sampling
