// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/hatch.h"

#include <QPainterPath>

namespace shardlens::ui {

void paintHatch(QPainter& painter, const QRectF& rect, const QColor& colour, double radius) {
  constexpr double kPitch = 5;
  QPainterPath clip;
  clip.addRoundedRect(rect, radius, radius);
  painter.save();
  painter.setClipPath(clip, Qt::IntersectClip);
  painter.setPen(QPen(colour, 1));
  // Lines stand still while the rectangle moves: they begin at multiples of the pitch.
  const double first = kPitch * static_cast<int>((rect.left() - rect.height()) / kPitch) - kPitch;
  const int lines = static_cast<int>((rect.right() - first) / kPitch) + 1;
  for (int line = 0; line < lines; ++line) {
    const double x = first + line * kPitch;
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
  }
  painter.restore();
}

}  // namespace shardlens::ui
