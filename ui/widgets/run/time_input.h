// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/time_window.h"

#include <QObject>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QPainter;
class QWheelEvent;

namespace shardlens::ui {

/// The visible part of a run's time, which several panels share.
class TimeView : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const TimeWindow& window() const { return window_; }
  void change(const std::function<void(TimeWindow&)>& change) {
    const TimeWindow before = window_;
    change(window_);
    if (!(window_ == before)) emit changed();
  }

 signals:
  void changed();

 private:
  TimeWindow window_;
};

/// What mouse and keys do to a time axis, the same wherever lanes are drawn: dragging shows what was dragged over, with
/// Shift or the middle button it moves; the wheel zooms around the pointer, with Shift it moves; A D or the arrows
/// move, W S or + - zoom, Home shows all; Esc drops what is being dragged over. The widget hands its events on, says
/// where the lanes are, and repaints when it is told that something changed.
class TimeInput {
 public:
  explicit TimeInput(TimeView& view) : view_(view) {}

  /// Places are those of the widget; `lanes` holds the axis from left to right.
  void wheel(QWheelEvent& event, const QRectF& lanes);
  void press(const QMouseEvent& event);
  /// Whether there is something else to paint.
  bool move(const QMouseEvent& event, const QRectF& lanes);
  /// What a release ended.
  enum class Released { Nothing, Brush, Move, Click };
  Released release(const QMouseEvent& event, const QRectF& lanes);
  /// Whether the key was one of these.
  bool key(const QKeyEvent& event);

  /// Forgets what is being dragged over.
  void drop();
  /// What is being dragged over, inside the lanes; nothing when nothing is.
  [[nodiscard]] std::optional<QRectF> brushed(const QRectF& lanes) const;
  /// The same, drawn.
  void paint(QPainter& painter, const QRectF& lanes) const;

 private:
  TimeView& view_;
  std::optional<QPointF> press_;     ///< where the mouse went down
  std::optional<double> brush_;      ///< how far it has come since, on the lanes
  std::optional<double> panned_at_;  ///< where it was when it moved the lanes last
};

}  // namespace shardlens::ui
