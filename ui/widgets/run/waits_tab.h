// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

class QBoxLayout;

namespace shardlens::ui {

class ArrivalPanel;
class ElidedLinks;
class LinkLabel;
class LinkButton;
class WaitBars;

/// Who waits, for whom, how often: bars for each rank, the order of arrival in the last collective, arrivals over the
/// last ones; of a recording whose design has a schedule, what its phases took against the prediction. Without a job
/// that has as many ranks as the design, the waits that the plan's run times predict, or where its schedule hangs.
class WaitsTab : public QWidget {
  Q_OBJECT

 public:
  explicit WaitsTab(Workspace& workspace, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// In a narrow tab arrivals stand below, in a low one the words that the bars say too give way to them.
  void fit();
  void showWhatIs();
  void showRun(const RunState& state);
  /// Measures the phases of the run in view, once it is over.
  void timePhases();
  /// Another recording is shown, or a newer state of the same file.
  void forgetPhases();
  void sayPhases(const QString& text);
  void showPhases();
  void predictSoon();
  void predictLanes(const PlanSnapshotPtr& snapshot);
  /// Of a schedule that hangs, or of which that is not known.
  void showHang(const ScheduleHang& hang, const Plan& plan);
  [[nodiscard]] QString asText() const;
  void followSelection();
  void showOffer();
  void setOwed(const QString& text);
  void sayNoPrediction(const QString& title, const QString& why = {});

  Workspace& workspace_;
  QBoxLayout* row_ = nullptr;  ///< the bars and the arrivals
  LinkLabel* head_;
  LinkLabel* owed_;    ///< what the slow ranks cost
  LinkLabel* phases_;  ///< what the phases of the schedule took
  ElidedLinks* order_;
  WaitBars* bars_;
  ArrivalPanel* arrivals_;
  LinkButton* only_;           ///< "only rank 3"
  PlanSnapshotPtr predicted_;  ///< what the prediction in view, or the one being made, is of; null while a run is shown
  QString timed_;              ///< the run file that phases_ is about
  LatestJob job_;
  LatestJob timing_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
