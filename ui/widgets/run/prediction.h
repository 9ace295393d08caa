// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

#include <QtGlobal>

#include <memory>
#include <optional>

namespace shardlens::ui {

/// The predicted lanes of the next few steps of the epoch that `shape` counts; nothing when it was stopped or an epoch
/// before cannot be counted. For workers: a delay that begins later makes it count the epochs before.
std::optional<std::shared_ptr<const Timeline>> predictedLanes(const Plan& plan, const EpochShape& shape,
                                                              qint64 first_step, const Work& work);

}  // namespace shardlens::ui
