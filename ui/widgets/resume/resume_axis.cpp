// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_axis.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace shardlens::ui {

ResumeAxis::ResumeAxis(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ResumeAxis::sizeHint() const {
  return {px(200), px(24)};
}

void ResumeAxis::setSteps(qint64 steps, qint64 stop, double stop_share) {
  steps_ = steps;
  stop_ = stop;
  share_ = stop_share;
  update();
}

void ResumeAxis::setSpan(int left, int right) {
  if (left == left_ && right == right_) return;
  left_ = left;
  right_ = right;
  update();
}

void ResumeAxis::paintEvent(QPaintEvent* /*event*/) {
  if (right_ <= left_ || steps_ == 0) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(smallFont());
  const Theme& look = theme();
  const double half = px(5);
  const double x = std::clamp(left_ + share_ * (right_ - left_), left_ + 1.0, right_ - 1.0);
  const QString stop = tr("stop after %1").arg(countOf(stop_, "step"));
  const double wide = metrics.horizontalAdvance(stop) + 4;
  const double at = std::clamp(x - wide / 2, double(left_), std::max<double>(left_, right_ - wide));
  const double text_height = height() - half;
  painter.setPen(look.accent);
  painter.drawText(QRectF(at, 0, wide, text_height), Qt::AlignCenter, stop);
  QPainterPath tip(QPointF(x - half, text_height));
  tip.lineTo(x + half, text_height);
  tip.lineTo(x, height());
  painter.fillPath(tip, look.accent);
  painter.setPen(look.faint);
  const QString first = tr("first step");
  const QString last = countOf(steps_, "step");
  const double room = px(12);
  if (left_ + metrics.horizontalAdvance(first) + room < at) {
    painter.drawText(QRectF(left_, 0, at - left_, text_height), Qt::AlignLeft | Qt::AlignVCenter, first);
  }
  if (right_ - metrics.horizontalAdvance(last) - room > at + wide) {
    painter.drawText(QRectF(at, 0, right_ - at, text_height), Qt::AlignRight | Qt::AlignVCenter, last);
  }
}

}  // namespace shardlens::ui
