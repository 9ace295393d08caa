// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/chip_paint.h"

#include "ui/paint/hatch.h"
#include "ui/scene/palette.h"

namespace shardlens::ui {
namespace {

constexpr double kChipCorner = 5;

/// Hatched around the number, which keeps its ground.
void paintPadding(QPainter& painter, const QRectF& chip, const QRectF& number, const QColor& colour,
                  const Theme& theme) {
  constexpr double kAround = 3;
  const QRectF ground = chip.adjusted(1, 1, -1, -1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(ground, kChipCorner - 1, kChipCorner - 1);
  paintHatch(painter, ground, paddingColor(theme), kChipCorner - 1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(number.adjusted(-kAround, 0, kAround, 0) & ground, kAround, kAround);
}

}  // namespace

void paintChip(QPainter& painter, const StageChip& chip, const QRectF& place, const Theme& theme) {
  const QColor colour = QColor::fromRgb(chip.colour);
  const QRectF inside = place.adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(QPen(edgeOf(theme, colour), 1));
  painter.setBrush(colour);
  painter.drawRoundedRect(inside, kChipCorner, kChipCorner);
  const QString number = QString::number(chip.sample);
  if (chip.padding) paintPadding(painter, inside, painter.boundingRect(place, Qt::AlignCenter, number), colour, theme);
  if (chip.duplicate) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(duplicateColor(theme), 1.6));
    painter.drawRoundedRect(place.adjusted(-1.2, -1.2, 1.2, 1.2), kChipCorner + 1, kChipCorner + 1);
  }
  painter.setPen(readableOn(colour));
  painter.drawText(place, Qt::AlignCenter, number);
}

}  // namespace shardlens::ui
