// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/chip_paint.h"

#include "ui/paint/hatch.h"
#include "ui/scene/palette.h"

namespace shardlens::ui {

void paintChip(QPainter& painter, const StageChip& chip, const QRectF& place, const Theme& theme) {
  constexpr double kChipRadius = 5;
  const QColor colour = QColor::fromRgb(chip.colour);
  const QRectF inside = place.adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(edgeOf(theme, colour), 1));
  painter.setBrush(colour);
  painter.drawRoundedRect(inside, kChipRadius, kChipRadius);
  const QColor ink = readableOn(colour);
  if (chip.padding) paintHatch(painter, inside, mix(ink, colour, 0.35), kChipRadius);
  if (chip.duplicate) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(duplicateColor(theme), 1.6));
    painter.drawRoundedRect(place.adjusted(-1.2, -1.2, 1.2, 1.2), kChipRadius + 1, kChipRadius + 1);
  }
  painter.setPen(ink);
  painter.drawText(place, Qt::AlignCenter, QString::number(chip.sample));
}

}  // namespace shardlens::ui
