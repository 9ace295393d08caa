// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tabs/heat_scale.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kBarWidth = 10;
constexpr int kTallest = 140;

}  // namespace

HeatScale::HeatScale(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void HeatScale::setScale(HeatTone tone, const QString& most) {
  tone_ = tone;
  most_ = most;
  setAccessibleName(tr("Scale of the colours: none to %1").arg(most));
  setToolTip(tr("Shares below a thousandth have the colour of zero."));
  updateGeometry();
  update();
}

QSize HeatScale::sizeHint() const {
  const QFontMetrics metrics(smallFont());
  return {px(kBarWidth) + px(5) + std::max(metrics.horizontalAdvance(most_), metrics.horizontalAdvance("0")),
          3 * metrics.height()};
}

void HeatScale::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(smallFont());
  const int line = painter.fontMetrics().height();
  const QRect bar(0, 2, px(kBarWidth), std::min(height() - 4, px(kTallest)));
  const HeatColours colours = HeatColours::forTone(tone_);
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  gradient.setColorAt(0, colours.empty);
  gradient.setColorAt(1, colours.hot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
  painter.setPen(theme().muted);
  const int left = bar.right() + px(5);
  painter.drawText(QRect(left, bar.top() - 1, width() - left, line), Qt::AlignLeft | Qt::AlignTop, most_);
  painter.drawText(QRect(left, bar.bottom() - line + 1, width() - left, line), Qt::AlignLeft | Qt::AlignBottom,
                   QStringLiteral("0"));
}

}  // namespace shardlens::ui

#include "moc_heat_scale.cpp"
