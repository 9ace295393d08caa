// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"

namespace shardlens {

/// Whether a rank's number of samples says something: loaders of a command's job do not report them while it runs.
inline bool countsSamples(const RankState& rank) {
  return rank.samples > 0 || rank.steps_done == 0;
}

}  // namespace shardlens
