// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/step_ruler.h"

#include "ui/scene/number_text.h"
#include "ui/scene/stage/axis.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/stage/transport_controls.h"

#include <QPainter>

namespace shardlens::ui {

StepRuler::StepRuler(const ThinSlider& slider, QWidget* parent) : QWidget(parent), slider_(slider) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

QSize StepRuler::sizeHint() const {
  return {px(60), px(4) + QFontMetrics(smallFont()).height()};
}

void StepRuler::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  const int last = slider_.maximum();
  const double end = slider_.pixelOf(last);
  const auto label = [&](int step) {
    const QString words = number(step);
    const double wide = metrics.horizontalAdvance(words);
    const double x = slider_.pixelOf(step);
    painter.fillRect(QRectF(x, 0, 1, px(3)), theme().hairline);
    painter.setPen(theme().muted);
    const double left = std::clamp(x - wide / 2, 0.0, width() - wide);
    painter.drawText(QRectF(left, px(3), wide + 1, height() - px(3)), Qt::AlignLeft | Qt::AlignVCenter, words);
    return left;
  };
  const double widest = metrics.horizontalAdvance(number(last));
  const double first_of_last = label(last);
  const double pitch = (end - slider_.pixelOf(0)) / std::max(last, 1);
  const qint64 every = tickDistance(pitch, widest + px(60));
  for (qint64 step = 0; step < last; step += every) {
    if (slider_.pixelOf(static_cast<int>(step)) + widest > first_of_last - px(8)) break;
    label(static_cast<int>(step));
  }
}

}  // namespace shardlens::ui

#include "moc_step_ruler.cpp"
