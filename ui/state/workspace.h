// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/document.h"
#include "ui/state/plan_service.h"
#include "ui/state/playback.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"

namespace shardlens::ui {

/// All that a window is about: one document, its newest plan, the playhead, the selection, the job. Panels take a
/// Workspace and connect to what they show; none of them knows another panel.
struct Workspace {
  Document document;
  PlanService plans;
  Playback playback;
  Selection selection;
  RunService runs;
};

}  // namespace shardlens::ui
