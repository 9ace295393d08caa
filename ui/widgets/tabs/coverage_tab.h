// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/tabs/coverage_view.h"

#include <QWidget>

namespace shardlens::ui {

class StatePane;

/// The Coverage tab of a window.
class CoverageTab : public QWidget {
  Q_OBJECT

 public:
  explicit CoverageTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] CoverageView& view() const { return *view_; }

 private:
  void take(const PlanSnapshotPtr& snapshot, const std::shared_ptr<const AuditReport>& report);
  void findCurve(qint64 epoch);
  void showWhatIs();

  Workspace& workspace_;
  CoverageView* view_;
  StatePane* pane_;
  PlanSnapshotPtr snapshot_;      ///< what is shown
  std::optional<qint64> wanted_;  ///< the epoch whose curve is to be computed once the tab is in sight
  LatestJob walk_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
