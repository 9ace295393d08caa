// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/state/document.h"
#include "ui/state/plan_service.h"

#include <functional>

namespace shardlens::ui {

class StatePane;

/// Keeps a tab on the newest audit: calls `take` with each snapshot that has a new one, and puts the pane into the
/// state that fits meanwhile (computing, spec with errors). Connections end with `pane`.
void watchAudit(PlanService& plans, StatePane& pane, std::function<void(const PlanSnapshotPtr&)> take);

/// Applies a fix as one undoable edit. It was made for the spec that was audited: where the document refuses it by now,
/// the pane says why.
void applyFix(Document& document, StatePane& pane, const Fix& fix);

}  // namespace shardlens::ui
