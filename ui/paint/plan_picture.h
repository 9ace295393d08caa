// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"

#include <QImage>
#include <QSize>

#include <optional>

namespace shardlens::ui {

/// The first steps of a plan as the Stage draws them, small: all batches dealt, and none yet. A plan of one or two
/// ranks shows its first two epochs, one above the other. Epochs, nodes or ranks are named beside their cells.
struct PlanPicture {
  QImage dealt;
  QImage undealt;
};

/// A picture of `size` pixels, for any thread. Nothing when the plan cannot be drawn or `work` stopped it.
std::optional<PlanPicture> planPicture(const Plan& plan, QSize size, bool dark, qreal ratio, const Work& work = {});

}  // namespace shardlens::ui
