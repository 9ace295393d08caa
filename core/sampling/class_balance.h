// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/random/numpy_legacy.h"
#include "core/spec/pipeline_spec.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace shardlens::sampling {

/// Samples of each class, ascending, the classes in the order in which they first appear.
using Classes = std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>>;
Classes classesOf(const IndexList& labels);

/// np.random.choice of this many samples of one class, some of them again if the class has fewer. Returns the place
/// after the last one written; draws without writing if `into` is null.
std::uint32_t* chooseOf(const std::vector<std::int64_t>& samples, std::int64_t count, NumpyLegacy& numpy,
                        std::uint32_t* into);

/// Says when dataset.labels does not name a class for each sample.
Result<void> checkLabels(const PipelineSpec& spec);

}  // namespace shardlens::sampling
