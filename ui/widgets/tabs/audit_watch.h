// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"
#include "ui/state/document.h"
#include "ui/state/plan_service.h"
#include "ui/state/workspace.h"

#include <functional>

namespace shardlens::ui {

class StatePane;

/// Takes a snapshot and the report to show of it.
using TakeAudit =
    std::function<void(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report)>;

/// Keeps a tab on the newest audit of the epoch under the playhead: calls `take` with each new one, and puts the pane
/// into the state that fits meanwhile (computing, spec with errors). A paused playhead brings its epoch's audit along.
/// Connections end with `pane`.
void watchAudit(Workspace& workspace, StatePane& pane, TakeAudit take);

/// Applies a fix as one undoable edit. It was made for the spec that was audited: where the document refuses it by now,
/// the pane says why.
void applyFix(Document& document, StatePane& pane, const Fix& fix);

}  // namespace shardlens::ui
