// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/schedule/operation.h"
#include "core/timeline/timeline.h"

#include <cstddef>
#include <cstdint>

namespace shardlens {

/// When each rank would load, compute and wait if the run.* times were exact and the network cost nothing: all begin at
/// 0 with `first_step` of the epoch that `shape` counts, and leave each all-reduce when the slowest has arrived. Steps
/// past the epoch's end are left out; a rank that has run out of batches is unmeasured until the others end. Fails only
/// as Plan::steps does, where a delay begins or ends within the run and the epochs before must be counted.
Result<Timeline> predict(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                         const Work& work = {});

/// What a collective takes beside its own ms, once all of its ranks are there. Without numbers that is nothing.
struct Network {
  double message_ms = 0;    ///< of each message, however small
  double bytes_per_ms = 0;  ///< that a rank sends to the next one of a ring; 0: as many as it likes

  /// By rings of so many ranks: an all_reduce has 2 (n - 1) messages, each of an n-th of the bytes.
  [[nodiscard]] double msOf(const schedule::Operation& operation, std::size_t ranks) const;
};

/// When each rank loads, computes, waits and transfers where it does the schedule of the plan's spec and its times are
/// exact: as predict(), with what is done at the start and at the end of the epoch, or of the job, where the steps
/// reach that far. Ranks that never get through wait to the end. Fails as predict() does, and where the steps are too
/// many.
Result<Timeline> predictSchedule(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                                 const Network& network = {}, const Work& work = {});

}  // namespace shardlens
