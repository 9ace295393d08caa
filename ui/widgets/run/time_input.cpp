// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/time_input.h"

#include "ui/scene/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr double kZoom = 1.25;
constexpr double kPan = 0.2;
constexpr double kWheelNotch = 120;
constexpr double kDead = 4;  ///< a click that trembles is no drag

}  // namespace

void TimeInput::wheel(QWheelEvent& event, const QRectF& lanes) {
  const QPointF angle = event.angleDelta();
  const bool sideways = event.modifiers() & Qt::ShiftModifier || std::abs(angle.x()) > std::abs(angle.y());
  const double notches = (sideways && angle.x() != 0 ? angle.x() : angle.y()) / kWheelNotch;
  const double place = std::clamp((event.position().x() - lanes.left()) / lanes.width(), 0.0, 1.0);
  view_.change([&](TimeWindow& window) {
    sideways ? window.pan(-notches * kPan / 2) : window.zoom(std::pow(kZoom, -notches), place);
  });
  event.accept();
}

void TimeInput::press(const QMouseEvent& event) {
  const bool moves = event.button() == Qt::MiddleButton ||
                     (event.button() == Qt::LeftButton && (event.modifiers() & Qt::ShiftModifier) != 0);
  drop();
  if (moves) {
    panned_at_ = event.position().x();
  } else if (event.button() == Qt::LeftButton) {
    press_ = event.position();
  }
}

bool TimeInput::move(const QMouseEvent& event, const QRectF& lanes) {
  const double x = event.position().x();
  if (panned_at_) {
    const double moved = x - *std::exchange(panned_at_, x);
    view_.change([&](TimeWindow& window) { window.pan(-moved / lanes.width()); });
    return false;
  }
  if (!press_ || press_->x() < lanes.left()) return false;
  if (!brush_ && std::abs(x - press_->x()) < kDead) return false;
  brush_ = x;
  return true;
}

TimeInput::Released TimeInput::release(const QMouseEvent& event, const QRectF& lanes) {
  if (panned_at_) {
    panned_at_.reset();
    return Released::Move;
  }
  if (event.button() != Qt::LeftButton || !press_) return Released::Nothing;
  const auto over = brushed(lanes);
  drop();
  if (!over) return Released::Click;
  const TimeWindow& now = view_.window();
  const std::int64_t from = now.momentAt(over->left() - lanes.left(), lanes.width());
  const std::int64_t to = now.momentAt(over->right() - lanes.left(), lanes.width());
  view_.change([&](TimeWindow& window) { window.show(from, to); });
  return Released::Brush;
}

bool TimeInput::key(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
      view_.change([](TimeWindow& window) { window.zoom(1 / kZoom, 0.5); });
      return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
      view_.change([](TimeWindow& window) { window.zoom(kZoom, 0.5); });
      return true;
    case Qt::Key_A:
    case Qt::Key_Left:
      view_.change([](TimeWindow& window) { window.pan(-kPan); });
      return true;
    case Qt::Key_D:
    case Qt::Key_Right:
      view_.change([](TimeWindow& window) { window.pan(kPan); });
      return true;
    case Qt::Key_Home:
      view_.change([](TimeWindow& window) { window.fit(); });
      return true;
    case Qt::Key_Escape: {
      const bool had = brush_.has_value();
      drop();
      return had;
    }
    default:
      return false;
  }
}

void TimeInput::drop() {
  press_.reset();
  brush_.reset();
}

std::optional<QRectF> TimeInput::brushed(const QRectF& lanes) const {
  if (!brush_ || !press_) return std::nullopt;
  const double from = std::clamp(std::min(press_->x(), *brush_), lanes.left(), lanes.right());
  const double to = std::clamp(std::max(press_->x(), *brush_), lanes.left(), lanes.right());
  return QRectF(from, lanes.top(), to - from, lanes.height());
}

void TimeInput::paint(QPainter& painter, const QRectF& lanes) const {
  const auto over = brushed(lanes);
  if (!over) return;
  QColor inside = theme().accent;
  inside.setAlphaF(0.16F);
  painter.fillRect(*over, inside);
  for (const double x : {over->left(), over->right()}) {
    painter.fillRect(QRectF(x, over->top(), 1, over->height()), theme().accent);
  }
}

}  // namespace shardlens::ui
