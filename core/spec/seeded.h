// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"

namespace shardlens {

/// False: the script never seeds, and the generators of every process start from different numbers in each run. Only
/// what does not depend on them can then be predicted.
inline bool isSeeded(const PipelineSpec& spec) {
  return spec.seeds.rule != "unseeded";
}

}  // namespace shardlens
