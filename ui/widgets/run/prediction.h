// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

#include <QtGlobal>

#include <cstdint>
#include <memory>

namespace shardlens::ui {

/// The predicted lanes of the next few steps of the epoch that `shape` counts, of a schedule that does not hang. Fails
/// as predict() and predictSchedule() do, and where no phase takes time. For workers: a delay that begins later makes
/// it count the epochs before.
Result<std::shared_ptr<const Timeline>> predictedLanes(const Plan& plan, const EpochShape& shape, qint64 first_step,
                                                       const Work& work);

/// The predicted lanes of so many steps from this one on, epoch after epoch; fewer where the plan ends, or where the
/// lanes would have more spans than those of a run are kept with. Fails as Plan::epochShape() and predictSchedule() do,
/// where the schedule hangs, or that is not known, and where no phase takes time or is in a step. For workers.
Result<Timeline> predictedRun(const Plan& plan, Epoch first_epoch, Step first_step, std::int64_t steps,
                              const Work& work);

}  // namespace shardlens::ui
