// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

namespace shardlens {

/// When each rank would load, compute and wait if the spec's run.* times were exact and the network cost nothing: all
/// begin at 0 with `first_step`, and leave each all-reduce when the slowest has come. Steps past an epoch's end are
/// left out; a rank that has run out of batches is unmeasured until the others end. `first_step` and `steps` are of one
/// epoch.
Timeline predict(const Plan& plan, Epoch epoch, Step first_step, std::int64_t steps);

}  // namespace shardlens
