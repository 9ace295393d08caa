// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/document.h"
#include "ui/state/job_capture.h"
#include "ui/state/plan_service.h"
#include "ui/state/playback.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"
#include "ui/state/spec_text.h"

namespace shardlens::ui {

/// All that a window is about: one document, its newest plan, the playhead, the selection, the job. Panels take a
/// Workspace and connect to what they show; none of them knows another panel. It wires its own parts: an edit asks for
/// a plan, the playhead's epoch is the one that is planned, and a plan tells the playhead how far it reaches.
struct Workspace {
  /// Samplers are those of `catalogue`.
  explicit Workspace(SamplerCatalogue catalogue = sampling::catalogue());

  Document document;
  SpecText text{document};
  PlanService plans;
  Playback playback;
  EpochAudit audits{plans, playback};
  Selection selection;
  RunService runs;
  JobCapture capture{runs};

  bool lacks_size = false;  ///< of the design in place nobody said how many samples there are: it has 0 so far

  /// Plans the document as it is for the epoch under the playhead.
  void plan();
  /// The job in view, where the design has as many ranks as it; else null.
  [[nodiscard]] RunStatePtr runOfDesign() const;
  /// The newest answer, with the audit of the epoch under the playhead where that is known.
  [[nodiscard]] PlanSnapshotPtr answer() const;
  /// Selects a place and brings the playhead there: to its epoch and its step, whose batches are dealt then. A step
  /// past the end is the last one, and a rank without an epoch is meant in the one under the playhead.
  void goTo(Selected place);
  /// The document's file as a word of a command line; "spec.yaml" while it has none.
  [[nodiscard]] QString specArgument() const;
};

}  // namespace shardlens::ui
