// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"

namespace shardlens::sampling {

/// Unsupported where nodes have different numbers of ranks: for frameworks whose processes take the ranks of their own
/// node for those of every node, and so compute different worlds.
Result<void> checkEqualNodes(const PipelineSpec& spec);

}  // namespace shardlens::sampling
