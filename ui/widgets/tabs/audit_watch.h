// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/plan_service.h"

#include <functional>

namespace shardlens::ui {

class StatePane;

/// Keeps a tab on the newest audit: calls `take` with each snapshot that has a new one, and puts the pane into the
/// state that fits meanwhile (computing, spec with errors). Connections end with `pane`.
void watchAudit(PlanService& plans, StatePane& pane, std::function<void(const PlanSnapshotPtr&)> take);

}  // namespace shardlens::ui
