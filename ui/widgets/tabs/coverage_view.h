// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/tabs/coverage_text.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/refresh.h"

#include <QComboBox>

#include <memory>
#include <optional>

class QHBoxLayout;

namespace shardlens::ui {

class CoveragePlot;
class IdList;
class TimesSeenPlot;

/// How often each sample is seen in an epoch, how the dataset fills up step by step, and the ids that are missing,
/// duplicated or padding. Works on values; CoverageTab connects it to a window.
class CoverageView : public QWidget {
  Q_OBJECT

 public:
  enum List { Missing, Duplicated, Padding };

  explicit CoverageView(QWidget* parent = nullptr);

  /// Keeps the chosen epoch where it was audited too. Asks for a curve.
  void setReport(std::shared_ptr<const AuditReport> report);
  void setEpoch(qint64 epoch);  ///< ignored when it was not audited
  [[nodiscard]] std::optional<qint64> epoch() const;
  void setCurve(qint64 epoch, CoverageCurve curve);
  /// Where the playhead stands; the marker shows in its own epoch only.
  void setPlayhead(qint64 epoch, double position);
  /// Marks its step in the curve of its epoch; without an epoch it is of the playhead's.
  void setSelected(const Selected& place);
  void setList(List list) { lists_->setCurrentIndex(list); }

  [[nodiscard]] QString title() const { return title_->plain(); }
  [[nodiscard]] QString facts() const { return facts_->plain(); }
  [[nodiscard]] QString csv() const;
  [[nodiscard]] QString progress() const { return progress_->toolTip(); }  ///< "after 4 steps: 8 of 16 seen"
  [[nodiscard]] IdList& ids() const { return *ids_; }
  /// It shares the height that there is: what scrolls it asks for its least height, not for the usual one.
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }

 signals:
  void curveWanted(qint64 epoch);
  /// A link of its words, or a step in its curve.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fillEpochs();
  void showEpoch();
  void showList();
  void showPlayhead();
  void showCaptions();
  void showSelected();
  [[nodiscard]] const Ledger* coverage() const;

  std::shared_ptr<const AuditReport> report_;
  std::optional<qint64> curve_epoch_;
  qint64 playhead_epoch_ = 0;
  double playhead_ = 0;
  Selected selected_;

  LinkLabel* title_;
  LinkLabel* facts_;
  QHBoxLayout* parts_ = nullptr;  ///< bars, curve and ids
  QComboBox* epochs_;
  TimesSeenPlot* times_;
  CoveragePlot* curve_;
  QLabel* times_caption_;
  QLabel* progress_;
  QComboBox* lists_;
  IdList* ids_;
};

class StatePane;

/// The Coverage tab of a window.
class CoverageTab : public QWidget {
  Q_OBJECT

 public:
  explicit CoverageTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] CoverageView& view() const { return *view_; }

 private:
  void findCurve(qint64 epoch);

  Workspace& workspace_;
  CoverageView* view_;
  StatePane* pane_;
  PlanSnapshotPtr snapshot_;      ///< what is shown
  std::optional<qint64> wanted_;  ///< the epoch whose curve is to be computed once the tab is in sight
  LatestJob walk_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
