// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_axis.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/stage/transport_controls.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr int kWords = 18;
constexpr int kSlider = 24;

int asInt(qint64 value) {
  return static_cast<int>(std::min<qint64>(value, std::numeric_limits<int>::max() - 1));
}

}  // namespace

ResumeAxis::ResumeAxis(QWidget* parent)
    : QWidget(parent), slider_(new ThinSlider(tr("Steps done when it stops"), this)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(slider_, &QAbstractSlider::valueChanged, this, [this](int step) { emit stepsWanted(step); });
}

QSize ResumeAxis::sizeHint() const {
  return {px(200), px(kWords + kSlider)};
}

void ResumeAxis::setSteps(qint64 steps, qint64 stop) {
  steps_ = steps;
  stop_ = stop;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, asInt(steps));
  slider_->setEnabled(steps > 0);
  if (!slider_->isSliderDown()) slider_->setValue(asInt(stop));
  update();
}

void ResumeAxis::setSpan(int left, int right) {
  if (left == left_ && right == right_) return;
  left_ = left;
  right_ = right;
  placeSlider();
  update();
}

/// The middle of the handle stands above the seams.
void ResumeAxis::placeSlider() {
  const int before = static_cast<int>(std::lround(slider_->pixelOf(slider_->minimum())));
  slider_->setGeometry(left_ - before, px(kWords), right_ - left_ + 2 * before, px(kSlider));
  const int again = static_cast<int>(std::lround(slider_->pixelOf(slider_->minimum())));
  if (again != before) slider_->setGeometry(left_ - again, px(kWords), right_ - left_ + 2 * again, px(kSlider));
}

void ResumeAxis::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeSlider();
}

void ResumeAxis::paintEvent(QPaintEvent* /*event*/) {
  if (right_ <= left_ || steps_ == 0) return;
  QPainter painter(this);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(smallFont());
  const Theme& look = theme();
  const double share = double(stop_) / double(steps_);
  const double x = left_ + share * (right_ - left_);
  const QString stop = tr("stop after %1").arg(countOf(stop_, "step"));
  const double wide = metrics.horizontalAdvance(stop) + 4;
  const double at = std::clamp(x - wide / 2, double(left_), std::max<double>(left_, right_ - wide));
  painter.setPen(look.accent);
  painter.drawText(QRectF(at, 0, wide, px(kWords)), Qt::AlignCenter, stop);
  painter.setPen(look.muted);
  const QString first = tr("stopped run");
  const QString last = tr("resumed run, to step %1").arg(number(steps_));
  const double room = px(12);
  if (left_ + metrics.horizontalAdvance(first) + room < at) {
    painter.drawText(QRectF(left_, 0, at - left_, px(kWords)), Qt::AlignLeft | Qt::AlignVCenter, first);
  }
  if (right_ - metrics.horizontalAdvance(last) - room > at + wide) {
    painter.drawText(QRectF(at, 0, right_ - at, px(kWords)), Qt::AlignRight | Qt::AlignVCenter, last);
  }
}

}  // namespace shardlens::ui

#include "moc_resume_axis.cpp"
