// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

namespace shardlens {

/// When each rank would load, compute and wait if the run.* times were exact and the network cost nothing: all begin at
/// 0 with `first_step` of the epoch that `shape` counts, and leave each all-reduce when the slowest has arrived. Steps
/// past the epoch's end are left out; a rank that has run out of batches is unmeasured until the others end. Fails only
/// as Plan::steps does, where a delay begins or ends within the run and the epochs before must be counted.
Result<Timeline> predict(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                         const Work& work = {});

/// How many steps all epochs before this one have, where a delay begins or ends within the run; else 0, as counting
/// them may take time.
Result<std::int64_t> stepsBefore(const Plan& plan, Epoch epoch, const Work& work);

}  // namespace shardlens
