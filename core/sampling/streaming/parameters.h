// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/field.h"

#include <cstdint>
#include <vector>

namespace shardlens::sampling {

constexpr std::int64_t kStreamingUnset = -1;  ///< in a list: this stream has no such weight

/// The parameters of streaming.StreamingDataset.
std::vector<Field> streamingParameters();

}  // namespace shardlens::sampling
