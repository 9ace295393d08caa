// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_axis.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/selection.h"
#include "ui/widgets/run/time_input.h"

#include <QPixmap>
#include <QWidget>

#include <array>
#include <vector>

namespace shardlens::ui {

class TimeView;

/// The lanes of two runs below each other on one axis, which counts from the first step of each. Like the board of a
/// run: see TimeInput.
class CompareLanes : public QWidget {
  Q_OBJECT

 public:
  explicit CompareLanes(TimeView& view, QWidget* parent = nullptr);

  /// Shows the first steps of both.
  void setRuns(ComparedRun first, ComparedRun second);
  /// Marks the lanes of its ranks, and when its step ran in each run. A step without an epoch is of the first one.
  void setSelected(const Selected& place);
  /// Shows the lanes of these ranks alone; all of them when there are none.
  void setOnly(std::vector<qint64> ranks);
  [[nodiscard]] const std::vector<qint64>& only() const { return only_; }
  [[nodiscard]] const TimeWindow& window() const;
  [[nodiscard]] const std::array<ComparedRun, 2>& runs() const { return runs_; }
  /// The lanes of the first run begin this far from the left.
  [[nodiscard]] int lanesLeft() const;
  /// Where the lane of a row of the first or the second run is drawn.
  [[nodiscard]] QRectF laneAt(std::size_t run, std::size_t row) const;
  /// The steps that are named above the lanes of the first or the second run; none where they are not known.
  [[nodiscard]] std::vector<StepMark> stepsAt(std::size_t run) const;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  /// A rank, and where the lane shows one, its step.
  void placeClicked(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Where a run is drawn.
  struct Place {
    QRectF head;
    QRectF steps;  ///< the words of the steps
    QRectF lanes;
    double pitch = 0;
    double gap = 0;  ///< between two nodes
  };
  [[nodiscard]] static double topOf(const ComparedRun& run, const Place& place, std::size_t row);
  [[nodiscard]] QRectF axis() const;
  [[nodiscard]] std::array<Place, 2> places() const;
  void paintSteps(QPainter& painter, std::size_t run, const Place& place) const;
  void paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const;
  void paintRuns(QPainter& painter) const;
  /// What is drawn at a place of the widget.
  struct Found {
    std::size_t run = 0;
    const Lane* lane = nullptr;  ///< null: no lane is there
    const Span* span = nullptr;
  };
  [[nodiscard]] Found foundAt(QPointF at) const;
  [[nodiscard]] QString tipAt(QPointF at) const;
  void paintSelected(QPainter& painter) const;
  void selectByKey(int direction);
  void showRuns();
  void findStep();
  /// The lanes of both, with what is between them.
  [[nodiscard]] QRectF lanesArea() const;

  TimeView& view_;
  std::array<ComparedRun, 2> runs_;
  std::array<ComparedRun, 2> shown_;  ///< the lanes of those that are asked for
  std::vector<qint64> only_;
  Selected place_;
  std::array<std::optional<std::pair<std::int64_t, std::int64_t>>, 2> step_times_;  ///< of the selected step
  QPixmap
      picture_;  ///< of both runs, for the window and the size below: dragging over them costs no more than the brush
  TimeWindow pictured_;
  TimeInput input_;
};

}  // namespace shardlens::ui
