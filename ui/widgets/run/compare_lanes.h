// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/comparison.h"
#include "ui/scene/run/time_window.h"

#include <QPixmap>
#include <QWidget>

#include <array>
#include <optional>

namespace shardlens::ui {

class TimeView;

/// The lanes of two runs below each other on one axis, which counts from the first step of each. Like the board of a
/// run: dragging shows what was dragged over, with Shift or the middle button it moves; the wheel zooms around the
/// pointer; A D or the arrows move, W S zoom, Home shows all, Esc drops what is being dragged over.
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
  void paintBrush(QPainter& painter, const QRectF& area) const;
  [[nodiscard]] QString tipAt(QPointF at) const;
  [[nodiscard]] std::int64_t momentAt(double x) const;
  void dropBrush();

  TimeView& view_;
  std::array<ComparedRun, 2> runs_;
  QPixmap
      picture_;  ///< of both runs, for the window and the size below: dragging over them costs no more than the brush
  TimeWindow pictured_;
  std::optional<double> panned_from_;
  std::optional<double> pressed_at_;
  std::optional<double> brushed_to_;
};

}  // namespace shardlens::ui
