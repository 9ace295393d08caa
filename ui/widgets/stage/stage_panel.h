// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"
#include "ui/scene/stage/legend.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/refresh.h"

#include <QVariantAnimation>
#include <QWidget>

#include <memory>
#include <optional>

class QLabel;

namespace shardlens::ui {

/// Lies over the dataset strip and the Stage and draws what moves between them, or the marks that stand for it; takes
/// no clicks.
class FlightOverlay : public QWidget {
  Q_OBJECT

 public:
  explicit FlightOverlay(QWidget* parent);
  void setDeal(DealFrame deal, std::vector<Ribbon> ribbons = {});
  /// Where motion is reduced.
  void setMarks(std::vector<DealMark> marks);
  void setTurn(EpochTurn turn);
  [[nodiscard]] const EpochTurn& turn() const { return turn_; }
  [[nodiscard]] const DealFrame& deal() const { return deal_; }
  [[nodiscard]] const std::vector<Ribbon>& ribbons() const { return ribbons_; }
  [[nodiscard]] const std::vector<DealMark>& marks() const { return marks_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DealFrame deal_;
  std::vector<Ribbon> ribbons_;
  std::vector<DealMark> marks_;
  EpochTurn turn_;
};

/// Finishes what the eye follows when the playhead does not: one step forward is dealt in 300 ms, and a pause in the
/// middle of a flight lets it land within 120 ms, or go back when it has hardly begun.
class StepGlide : public QVariantAnimation {
  Q_OBJECT

 public:
  using QVariantAnimation::QVariantAnimation;

  static constexpr int kStepMs = 300;
  static constexpr double kStepsPerSecond = 1000.0 / kStepMs;

  /// The playhead has gone from one place to another; nothing of both is to be glided where they are further apart
  /// than a step. While it glides, currentValue() is where the deal is shown.
  void follow(double from, double to);
  /// Where a playhead that is paused at `position` comes to rest: where the flight has landed or not begun.
  static double settled(double position);
  /// Shows the way from `position` to there.
  void settle(double position);

 private:
  void glide(double from, double to, int milliseconds);
};

struct PlanSnapshot;
struct Workspace;
class DatasetStrip;
class ElidedLabel;
class LegendRow;
class StageView;
class TransportBar;

/// The centre of the window: dataset strip, Stage and transport bar of a workspace.
class StagePanel : public QWidget {
  Q_OBJECT

 public:
  explicit StagePanel(Workspace& workspace, QWidget* parent = nullptr);
  ~StagePanel() override;

  [[nodiscard]] StageView* stage() const { return stage_; }
  [[nodiscard]] DatasetStrip* strip() const { return strip_; }
  [[nodiscard]] FlightOverlay* overlay() const { return overlay_; }
  [[nodiscard]] LegendRow* legend() const { return legend_; }
  [[nodiscard]] TransportBar* transport() const { return transport_; }
  /// Without motion nothing flies and nothing glides: what would fly is marked where it lies and where it goes, and the
  /// playhead goes from step to step.
  void setReducedMotion(bool reduced);
  void setColour(StageColour colour);
  /// Nothing moves on after the playhead stands: no step glides to its end, no epoch turns.
  [[nodiscard]] bool isSettled() const { return !isGliding() && !isTurning(); }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  QWidget* headRow(const QString& title, QWidget* right, QWidget* middle = nullptr);
  void connectWorkspace();
  void connectStage();
  /// The newest answer that has an epoch, may be null.
  [[nodiscard]] std::shared_ptr<const PlanSnapshot> shownSnapshot() const;
  void showEpoch(const PlanSnapshot& snapshot);
  /// Nothing is planned yet.
  void clear();
  void showNotice(const PlanSnapshot& snapshot);
  void showFacts(std::shared_ptr<const EpochFacts> facts);
  void playheadMoved();
  void playingChanged();
  void showPlayhead();
  [[nodiscard]] bool isGliding() const { return glide_->state() == QAbstractAnimation::Running; }
  /// How fast steps are dealt now, in steps per second.
  [[nodiscard]] double dealSpeed() const;
  [[nodiscard]] DealFrame dealAtNow(double position) const;
  [[nodiscard]] std::vector<Ribbon> ribbonsAtNow(double position) const;
  [[nodiscard]] std::vector<DealMark> marksAtNow(double position) const;
  /// Where samples and batches are, in this panel's coordinates.
  [[nodiscard]] FlightPlaces places() const;
  void showInFlight(qint64 samples);
  void showLegend();
  /// How steps are seen to come: as it plays, or step by step by hand.
  [[nodiscard]] LegendDeal dealInLegend() const;
  /// What scrolled out of view becomes a link.
  void placeLegend();
  void showSelection();
  void findTwins(CellAddress cell);
  void takeTwins(std::vector<CellAddress> cells);
  /// The cells that the two ranks of a pair share, for any other selection none.
  void findShared(const std::vector<qint64>& ranks);
  void holdWhileComputing();
  void beginTurn(qint64 epoch);
  /// The next epoch is there.
  void runTurn();
  void showTurn();
  void endTurn();
  [[nodiscard]] bool isTurning() const { return turn_to_.has_value() || turn_->state() == QAbstractAnimation::Running; }

  Workspace& workspace_;
  QLabel* summary_;
  ElidedLabel* in_flight_;
  QLabel* ragged_;
  DatasetStrip* strip_;
  StageView* stage_;
  LegendRow* legend_;
  TransportBar* transport_;
  FlightOverlay* overlay_;
  StepGlide* glide_;
  QVariantAnimation* turn_;        ///< from one epoch to the next
  std::optional<qint64> turn_to_;  ///< the epoch that is waited for
  double last_position_ = 0;
  qint64 last_epoch_ = 0;
  bool was_stepped_ = false;  ///< the playhead came here by one step on
  std::vector<LegendEntry> legend_entries_;
  bool some_undealt_ = false;  ///< some batches are outlines
  LegendDeal legend_deal_ = LegendDeal::None;
  std::shared_ptr<const EpochFacts> facts_;
  double progress_ = -1;  ///< of the plan
  double facts_progress_ = -1;
  bool colour_chosen_ = false;  ///< by the user
  bool reduced_motion_ = false;
  LatestJob facts_job_;
  LatestJob sample_job_;
  LatestJob twins_job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
