// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/field_marks.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QMouseEvent>
#include <QPainter>

#include <cstdlib>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kPixelsOfStep = 4;
constexpr qint64 kFastSteps = 10;

}  // namespace

ResetDot::ResetDot(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::NoFocus);  // by keyboard: the field's context menu
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
}

void ResetDot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre = QRectF(rect()).center();
  if (!underMouse()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().faint);
    painter.drawEllipse(centre, px(2), px(2));
    return;
  }
  const double radius = px(4);
  painter.setPen(QPen(theme().accent, 1.5, Qt::SolidLine, Qt::RoundCap));
  painter.drawArc(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), 120 * 16, -300 * 16);
  const QPointF tip(centre.x() - radius / 2, centre.y() - radius * 0.87);
  painter.drawLine(tip, tip + QPointF(px(3), -px(2)));
  painter.drawLine(tip, tip + QPointF(px(3), px(2)));
}

LabelScrub::LabelScrub(QWidget* label) : QObject(label) {
  label->setCursor(Qt::SizeHorCursor);
  label->installEventFilter(this);
}

void LabelScrub::move(int pixels, bool fast) {
  const qint64 steps = pixels / px(kPixelsOfStep) * (fast ? kFastSteps : 1);
  if (!dragged_ && std::abs(pixels) < px(kPixelsOfStep)) return;
  if (!std::exchange(dragged_, true)) emit begun();
  if (std::exchange(steps_, steps) != steps) emit movedBy(steps);
}

bool LabelScrub::eventFilter(QObject* watched, QEvent* event) {
  const auto mouse = [event] { return static_cast<QMouseEvent*>(event); };
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (mouse()->button() != Qt::LeftButton) break;
      pressed_ = true;
      dragged_ = false;
      steps_ = 0;
      pressed_at_ = mouse()->position().toPoint().x();
      return true;
    case QEvent::MouseMove:
      if (!pressed_) break;
      move(mouse()->position().toPoint().x() - pressed_at_, mouse()->modifiers() & Qt::ShiftModifier);
      return true;
    case QEvent::MouseButtonRelease:
      if (!std::exchange(pressed_, false)) break;
      if (dragged_) emit ended();
      return true;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_field_marks.cpp"
