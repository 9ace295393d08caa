// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/tabs/overlap_view.h"

#include <QWidget>

namespace shardlens::ui {

class StatePane;

/// The Overlap tab of a window.
class OverlapTab : public QWidget {
  Q_OBJECT

 public:
  explicit OverlapTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] OverlapView& view() const { return *view_; }

 private:
  void take(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report);
  void followSelection();
  void findSharedIds(qint64 a, qint64 b);
  void findSharingRanks();

  Workspace& workspace_;
  OverlapView* view_;
  StatePane* pane_;
  PlanSnapshotPtr snapshot_;  ///< what is shown
  std::shared_ptr<const AuditReport> report_;
  LatestJob lookup_;
  LatestJob sharing_;
};

}  // namespace shardlens::ui
