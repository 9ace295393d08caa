// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/cell_marks.h"

#include "ui/scene/theme.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

void paintOutline(QPainter& painter, const QRectF& cell, double radius, const QPen& pen) {
  const double half = pen.widthF() / 2;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen);
  painter.drawRoundedRect(cell.adjusted(half, half, -half, -half), radius, radius);
}

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

void paintNoBatch(QPainter& painter, const QRectF& cell, double radius, const Theme& theme) {
  paintOutline(painter, cell, radius, QPen(mix(theme.muted, theme.panel, 0.45), 1, Qt::DotLine));
}

void paintNever(QPainter& painter, const QRectF& cell, double radius, const Theme& theme) {
  const QColor colour = neverColor();
  painter.setBrush(mix(colour, theme.panel, 0.12));
  painter.setPen(QPen(colour, 1));
  painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  const double arm = std::min({cell.width(), cell.height(), 12.0}) / 4;
  const QPointF middle = cell.center();
  painter.setPen(QPen(colour, 1.4));
  painter.drawLine(middle - QPointF(arm, arm), middle + QPointF(arm, arm));
  painter.drawLine(middle - QPointF(arm, -arm), middle + QPointF(arm, -arm));
}

void paintNotDealt(QPainter& painter, const QRectF& cell, double radius, const Theme& theme) {
  paintOutline(painter, cell, radius, QPen(undealtColor(theme), 1));
}

void paintInFlight(QPainter& painter, const QRectF& cell, double radius, const Theme& theme) {
  QPen pen(theme.muted, 1);
  pen.setDashPattern({3, 2});
  paintOutline(painter, cell, radius, pen);
}

void paintDuplicateRing(QPainter& painter, const QRectF& cell, double radius, double width, const Theme& theme) {
  paintOutline(painter, cell, radius, QPen(duplicateColor(theme), width));
}

void paintDogEar(QPainter& painter, const QRectF& cell, double side, const Theme& theme) {
  QPainterPath fold(cell.topRight());
  fold.lineTo(cell.right() - side, cell.top());
  fold.lineTo(cell.right(), cell.top() + side);
  fold.closeSubpath();
  painter.setPen(QPen(theme.panel, 1));
  painter.setBrush(theme.text);
  painter.drawPath(fold);
}

void paintNotches(QPainter& painter, const QRectF& cell, int notches, const Theme& theme) {
  constexpr double kWide = 2;
  constexpr double kDeep = 4;
  const double all = (2 * notches - 1) * kWide;
  const double left = std::round(cell.center().x() - all / 2);
  for (int i = 0; i < notches; ++i) {
    painter.fillRect(QRectF(left + 2 * i * kWide, std::floor(cell.top()), kWide, kDeep), theme.panel);
  }
}

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
