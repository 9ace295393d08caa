// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/timeline/timeline.h"

#include <QtGlobal>

#include <memory>

namespace shardlens::ui {

/// The predicted lanes of the next few steps of an epoch, fewer when there are very many ranks. For any thread.
std::shared_ptr<const Timeline> predictedLanes(const Plan& plan, qint64 epoch, qint64 first_step);

}  // namespace shardlens::ui
