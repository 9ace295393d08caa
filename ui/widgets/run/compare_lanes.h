// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_window.h"

#include <QWidget>

#include <array>
#include <optional>

namespace shardlens::ui {

/// The lanes of two runs below each other on one axis, which counts from the first step of each. The wheel zooms
/// around the pointer, dragging moves; A D or the arrows move, W S zoom, Home shows all.
class CompareLanes : public QWidget {
  Q_OBJECT

 public:
  explicit CompareLanes(QWidget* parent = nullptr);

  /// Shows the first steps of both.
  void setRuns(ComparedRun first, ComparedRun second);
  [[nodiscard]] const TimeWindow& window() const { return window_; }
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

 private:
  /// Where a run is drawn.
  struct Place {
    QRectF head;
    QRectF lanes;
  };
  [[nodiscard]] QRectF axis() const;
  [[nodiscard]] std::array<Place, 2> places() const;
  void paintRun(QPainter& painter, const ComparedRun& run, const Place& place) const;
  [[nodiscard]] QString tipAt(QPointF at) const;

  std::array<ComparedRun, 2> runs_;
  TimeWindow window_;
  std::optional<double> dragged_from_;
};

}  // namespace shardlens::ui
