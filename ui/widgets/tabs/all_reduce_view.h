// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/tabs/all_reduce.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QRectF>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;

namespace shardlens::ui {

class ElidedLabel;
class StatePane;
class TransportButton;

/// The rounds of an all_reduce by each algorithm, side by side, or below one another where there is no room.
class RoundsView : public QWidget {
  Q_OBJECT

 public:
  explicit RoundsView(Playback& playback, QWidget* parent = nullptr);
  void setScene(const AllReduceScene& scene);
  /// How many rounds are over.
  [[nodiscard]] std::size_t done() const { return static_cast<std::size_t>(std::floor(playback_.position())); }
  [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void showRound();
  /// Of one algorithm.
  [[nodiscard]] double heightOfOne() const;
  /// Where the algorithm of this place in the scene is painted.
  [[nodiscard]] QRectF areaOf(std::size_t way) const;
  [[nodiscard]] QString tipAt(QPoint place) const;

  Playback& playback_;
  AllReduceScene scene_;
  std::size_t shown_ = 0;
};

/// An all_reduce of a schedule, round by round: by a ring and by a tree. The keys of the transport go through the
/// rounds. Works on values; AllReduceTab connects it.
class AllReduceView : public QWidget {
  Q_OBJECT

 public:
  explicit AllReduceView(QWidget* parent = nullptr);

  /// At least one, of two ranks or more each. The one that was shown stays, with its round if it did not change; where
  /// its place is gone, the first with values is shown.
  void setCalls(std::vector<schedule::AllReduce> calls);
  /// What is shown, with all rounds.
  [[nodiscard]] QString text() const { return allReduceText(scene_); }
  [[nodiscard]] RoundsView& rounds() const { return *rounds_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void showCall();

  Playback playback_;  ///< a round a step
  std::vector<schedule::AllReduce> calls_;
  AllReduceScene scene_;
  ElidedLabel* title_;
  QComboBox* choice_;
  TransportButton* back_;
  TransportButton* play_;
  TransportButton* on_;
  QLabel* sentences_;
  RoundsView* rounds_;
};

/// The All-reduce tab of a window.
class AllReduceTab : public QWidget {
  Q_OBJECT

 public:
  explicit AllReduceTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] AllReduceView& view() const { return *view_; }
  [[nodiscard]] StatePane& pane() const { return *pane_; }

 private:
  void showWhatIs();
  void take(std::vector<schedule::AllReduce> calls, bool has_schedule);

  Workspace& workspace_;
  AllReduceView* view_;
  StatePane* pane_;
  PlanSnapshotPtr shown_;
  LatestJob job_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
