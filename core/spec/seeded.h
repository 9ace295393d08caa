// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/pipeline_spec.h"

namespace shardlens {

/// The script never seeds: the generators of every process start from different numbers in each run.
inline bool neverSeeds(const PipelineSpec& spec) {
  return spec.seeds.rule == "unseeded";
}

/// What each rank seeds its generators with is known. Otherwise only what does not depend on them can be predicted.
inline bool isSeeded(const PipelineSpec& spec) {
  return !neverSeeds(spec) && spec.seeds.rule != "unknown";
}

}  // namespace shardlens
