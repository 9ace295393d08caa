// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/wait_rows.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

class QBoxLayout;

namespace shardlens::ui {

/// A bar for each rank: how long it waits in a step, and how often it was the last. Rows shrink to what there is room
/// for; then the rows that matter most are shown. Where no rank waits, it says so instead.
class WaitBars : public QWidget {
  Q_OBJECT

 public:
  explicit WaitBars(QWidget* parent = nullptr);
  void setRows(std::vector<WaitRow> rows, bool is_predicted);
  /// Marks their rows; the first of them is always among the shown ones. Up and Down go on from it.
  void setSelected(std::vector<qint64> ranks);
  /// Shows the rows of these ranks alone; none: all.
  void setOnly(std::vector<qint64> ranks);
  [[nodiscard]] const std::vector<qint64>& only() const { return only_; }
  /// The rows on the screen, from the top.
  [[nodiscard]] std::vector<qint64> shownRanks() const;
  [[nodiscard]] const std::vector<WaitRow>& rows() const { return rows_; }
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void rankClicked(qint64 rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  [[nodiscard]] double pitch() const;
  [[nodiscard]] std::vector<WaitRow> shown() const;
  /// What all rows have in common: the longest bar, and the room that the words take.
  struct Scale {
    double most_ns = 0;
    double words = 0;
  };
  void paintRow(QPainter& painter, const QRectF& place, const WaitRow& row, const Scale& scale) const;

  std::vector<WaitRow> rows_;
  bool is_predicted_ = false;
  std::vector<qint64> selected_;
  std::vector<qint64> only_;
  bool focus_ring_ = false;
};

class ArrivalPanel;
class ElidedLinks;
class LinkLabel;
class LinkButton;

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
