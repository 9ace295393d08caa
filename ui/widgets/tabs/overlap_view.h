// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/audit.h"
#include "ui/scene/tabs/heat.h"
#include "ui/scene/tabs/overlap_text.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/tabs/audit_parts.h"

#include <QString>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QBoxLayout;
class QPushButton;

namespace shardlens::ui {

/// The colours of a matrix from 0 to all, as an upright bar with its ends in words.
class HeatScale : public QWidget {
  Q_OBJECT

 public:
  explicit HeatScale(QWidget* parent = nullptr);
  void setScale(HeatTone tone, const QString& most);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  HeatTone tone_ = HeatTone::Note;
  QString most_;
};

class MatrixPlot;
class SegmentedControl;

/// Which ranks, or which epochs, have samples in common: a square picture, and beside it a verdict, the reason and what
/// would mend it. Works on values; OverlapTab connects it to a window.
class OverlapView : public QWidget {
  Q_OBJECT

 public:
  using Pair = std::pair<qint64, qint64>;
  enum Mode { Ranks, Epochs };

  explicit OverlapView(QWidget* parent = nullptr);

  /// `world` ranks in nodes of `ranks_per_node`, all in one where nodes differ. The chosen pair stays where it still
  /// exists.
  void setReport(std::shared_ptr<const AuditReport> report, qint64 world, qint64 ranks_per_node);
  void setMode(Mode mode);
  /// The mode is no longer what the user chose: the next report is shown by what is wrong in it.
  void forgetMode() { mode_chosen_ = false; }
  [[nodiscard]] Mode mode() const { return mode_; }
  /// Shows the pair as chosen without emitting pairChosen(); nothing: the overview.
  void setPair(std::optional<Pair> pair);
  /// Marks one rank and shows the overview.
  void setRank(qint64 rank);
  /// Marks the sample among the ids that are listed.
  void setMarkedSample(std::optional<SampleIndex> sample) { ids_->setMarked(sample); }
  /// The first ids that the chosen pair shares. Padding among them is recognised.
  void setSharedIds(Pair pair, const std::vector<SampleIndex>& ids);

  /// The epoch that the ranks are compared in; -1 before a report.
  [[nodiscard]] qint64 epoch() const;
  [[nodiscard]] QString title() const { return title_->plain(); }
  [[nodiscard]] QString reason() const { return reason_->plain(); }
  [[nodiscard]] QString csv() const { return report_ == nullptr ? QString() : overlapCsv(report_->ranks); }
  [[nodiscard]] MatrixPlot& matrix() const { return *matrix_; }
  [[nodiscard]] IdList& ids() const { return *ids_; }

 signals:
  void pairChosen(qint64 a, qint64 b);   ///< of ranks
  void epochChosen(qint64 a, qint64 b);  ///< likewise of epochs
  void sharedIdsWanted(qint64 a, qint64 b);
  void fixWanted(const shardlens::Fix& fix);
  /// A rank or a sample that the texts name.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitMatrix();
  [[nodiscard]] Mode usualMode() const;
  void choose(qint64 row, qint64 column);
  void showMode();
  void markSelected();
  void say();
  void present(const OverlapVerdict& verdict);
  [[nodiscard]] bool pairIsPadding() const;
  [[nodiscard]] qint64 sharedOfPair() const;

  std::shared_ptr<const AuditReport> report_;
  qint64 world_ = 0;
  qint64 ranks_per_node_ = 1;
  Mode mode_ = Ranks;
  bool mode_chosen_ = false;  ///< by the user
  std::optional<Pair> pair_;
  std::optional<qint64> rank_;  ///< marked while there is no pair
  std::optional<std::pair<Pair, std::vector<SampleIndex>>> known_ids_;
  bool ids_wanted_ = false;

  MatrixPlot* matrix_;
  HeatScale* scale_;
  QBoxLayout* head_ = nullptr;  ///< the title, and the switch beside or above it
  SegmentedControl* switch_;
  LinkLabel* title_;
  LinkLabel* reason_;
  FixOffer* fix_;
  QPushButton* ids_link_;
  IdList* ids_;
};

class StatePane;

/// The Overlap tab of a window.
class OverlapTab : public QWidget {
  Q_OBJECT

 public:
  explicit OverlapTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] OverlapView& view() const { return *view_; }

 private:
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
