// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/transport_controls.h"

#include "ui/paint/strip_paint.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// Signs are drawn in a square of 16 units about its middle.
QPainterPath triangle(double x, double direction, double width, double height) {
  QPainterPath path(QPointF(x, -height / 2));
  path.lineTo(x + direction * width, 0);
  path.lineTo(x, height / 2);
  path.closeSubpath();
  return path;
}

QPainterPath bar(double x, double width, double height) {
  QPainterPath path;
  path.addRoundedRect(QRectF(x, -height / 2, width, height), 0.8, 0.8);
  return path;
}

QPainterPath loopPath() {
  QPainterPath path;
  path.moveTo(3.5, -4);
  path.lineTo(-2, -4);
  path.arcTo(QRectF(-6, -4, 8, 8), 90, 180);
  path.moveTo(-3.5, 4);
  path.lineTo(2, 4);
  path.arcTo(QRectF(-2, -4, 8, 8), -90, 110);
  return path;
}

QPainterPath signPath(TransportButton::Sign sign) {
  using Sign = TransportButton::Sign;
  switch (sign) {
    case Sign::ToStart:
      return bar(-6, 2, 9) + triangle(5, -1, 8, 9);
    case Sign::StepBack:
      return triangle(6, -1, 6, 8) + triangle(0, -1, 6, 8);
    case Sign::Play:
      return triangle(-5, 1, 11, 13);
    case Sign::Pause:
      return bar(-5, 3.6, 13) + bar(1.4, 3.6, 13);
    case Sign::StepOn:
      return triangle(-6, 1, 6, 8) + triangle(0, 1, 6, 8);
    case Sign::ToEnd:
      return bar(4, 2, 9) + triangle(-5, 1, 8, 9);
    case Sign::Loop:
      return loopPath();
  }
  return {};
}

void paintLoop(QPainter& painter, const QColor& colour) {
  painter.strokePath(loopPath(), QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap));
  QPainterPath head(QPointF(2.5, -7));
  head.lineTo(6, -4);
  head.lineTo(2.5, -1);
  head.closeSubpath();
  painter.fillPath(head, colour);
}

}  // namespace

TransportButton::TransportButton(Sign sign, const QString& name, const QString& keys, QWidget* parent)
    : QAbstractButton(parent), sign_(sign) {
  setSign(sign, name, keys);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void TransportButton::setSign(Sign sign, const QString& name, const QString& keys) {
  sign_ = sign;
  setAccessibleName(name);
  setToolTip(keys.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, keys));
  update();
}

QSize TransportButton::sizeHint() const {
  return {px(28), px(28)};
}

void TransportButton::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  if (underMouse() || isDown()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(look.text, look.window, isDown() ? 0.12 : 0.06));
    painter.drawRoundedRect(rect(), 6, 6);
  }
  if (showsFocusRing(*this)) {
    painter.setPen(QPen(look.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6);
  }
  const bool main = sign_ == Sign::Play || sign_ == Sign::Pause;
  const QColor colour = !isEnabled() ? look.faint : isChecked() ? look.accent : main ? look.text : look.muted;
  painter.translate(width() / 2.0, height() / 2.0);
  painter.scale(height() / 28.0, height() / 28.0);
  sign_ == Sign::Loop ? paintLoop(painter, colour) : painter.fillPath(signPath(sign_), colour);
}

ThinSlider::ThinSlider(const QString& name, QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setAccessibleName(name);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setPageStep(10);
  setAttribute(Qt::WA_Hover);
}

QSize ThinSlider::sizeHint() const {
  return {px(120), px(24)};
}
QSize ThinSlider::minimumSizeHint() const {
  return {px(48), px(24)};
}

void ThinSlider::setFraction(double fraction) {
  constexpr double kSeen = 0.25;  // pixels: less is not worth a frame
  if (isSliderDown() || fraction == fraction_) return;
  fraction_ = fraction;
  if (std::abs(pixelOf(sliderPosition() + fraction_) - painted_at_) >= kSeen) update();
}

void ThinSlider::setMarks(std::vector<SliderMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  update();
}

double ThinSlider::pixelOf(double value) const {
  const double span = std::max(maximum() - minimum(), 1);
  const double share = std::clamp((value - minimum()) / span, 0.0, 1.0);
  const double radius = height() * 0.29;
  return radius + share * (width() - 2 * radius);
}

void ThinSlider::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  const double middle = height() / 2.0;
  const double thick = height() / 8.0;
  const double x = pixelOf(sliderPosition() + fraction_);
  painted_at_ = x;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.hairline);
  painter.drawRoundedRect(QRectF(0, middle - thick / 2, width(), thick), thick / 2, thick / 2);
  painter.setBrush(look.accent);
  painter.drawRoundedRect(QRectF(0, middle - thick / 2, x, thick), thick / 2, thick / 2);
  for (const SliderMark& mark : marks_) paintTimeMark(painter, {pixelOf(mark.value), middle - thick}, mark.tone, look);
  painter.setPen(Qt::NoPen);
  const double radius = height() * 0.25;
  if (showsFocusRing(*this)) {
    painter.setBrush(mix(look.accent, look.window, 0.3));
    painter.drawEllipse(QPointF(x, middle), radius + 4, radius + 4);
  }
  painter.setPen(QPen(look.accent, 2));
  painter.setBrush(underMouse() || isSliderDown() ? look.accent : look.window);
  painter.drawEllipse(QPointF(x, middle), radius - 0.5, radius - 0.5);
}

bool ThinSlider::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || marks_.empty()) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QStringList titles;
  for (const SliderMark& mark : marks_) {
    if (std::abs(pixelOf(mark.value) - help->pos().x()) <= px(6)) titles << mark.title;
  }
  titles.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), titles.join('\n'), this);
  return true;
}

void ThinSlider::dragTo(double x) {
  const double radius = height() * 0.29;
  const double share = std::clamp((x - radius) / std::max(width() - 2 * radius, 1.0), 0.0, 1.0);
  fraction_ = 0;
  setSliderPosition(minimum() + static_cast<int>(std::lround(share * (maximum() - minimum()))));
  update();
}

void ThinSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  dragTo(event->position().x());
}

void ThinSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) dragTo(event->position().x());
}

void ThinSlider::mouseReleaseEvent(QMouseEvent* /*event*/) {
  setSliderDown(false);
}

/// The transport's keys (with modifiers, Space, Home and End) mean the playhead, not this slider.
void ThinSlider::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  if (!plain || event->key() == Qt::Key_Home || event->key() == Qt::Key_End) return event->ignore();
  QAbstractSlider::keyPressEvent(event);
}

}  // namespace shardlens::ui

#include "moc_transport_controls.cpp"
