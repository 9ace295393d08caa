// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_window.h"
#include "ui/widgets/run/time_input.h"

#include <QPixmap>
#include <QWidget>

#include <array>

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
  [[nodiscard]] const TimeWindow& window() const;
  /// The lanes of the first run begin this far from the left.
  [[nodiscard]] int lanesLeft() const;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

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
    QRectF lanes;
  };
  [[nodiscard]] QRectF axis() const;
  [[nodiscard]] std::array<Place, 2> places() const;
  void paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const;
  void paintRuns(QPainter& painter) const;
  [[nodiscard]] QString tipAt(QPointF at) const;
  /// The lanes of both, with what is between them.
  [[nodiscard]] QRectF lanesArea() const;

  TimeView& view_;
  std::array<ComparedRun, 2> runs_;
  QPixmap
      picture_;  ///< of both runs, for the window and the size below: dragging over them costs no more than the brush
  TimeWindow pictured_;
  TimeInput input_;
};

}  // namespace shardlens::ui
