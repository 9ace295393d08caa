// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/turn_paint.h"

#include <QPainterPath>

namespace shardlens::ui {
namespace {

constexpr double kStrongest = 0.7;

/// As much of the way as is drawn: it leaves the strip and comes to its place upright.
QPainterPath wayOf(const TurnLine& line) {
  const QPointF way = line.to - line.from;
  // The first part of a cubic curve is a cubic curve, too (de Casteljau).
  const double t = line.drawn;
  const auto mid = [t](QPointF one, QPointF other) { return one + (other - one) * t; };
  const QPointF first = line.from + QPointF(0, way.y() / 2);
  const QPointF second = line.to - QPointF(0, way.y() / 2);
  const QPointF a = mid(line.from, first);
  const QPointF b = mid(first, second);
  const QPointF c = mid(second, line.to);
  QPainterPath path(line.from);
  path.cubicTo(a, mid(a, b), mid(mid(a, b), mid(b, c)));
  return path;
}

}  // namespace

void paintTurn(QPainter& painter, const EpochTurn& turn) {
  if (turn.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (const TurnLine& line : turn.lines) {
    QColor colour = line.colour;
    colour.setAlphaF(static_cast<float>(kStrongest * turn.opacity));
    QPen pen(colour, 1);
    pen.setCosmetic(true);  // wider ones are filled polygons: many times the cost
    painter.setPen(pen);
    painter.drawPath(wayOf(line));
  }
}

QRegion regionOf(const EpochTurn& turn) {
  QRectF all;
  for (const TurnLine& line : turn.lines) all |= QRectF(line.from, line.to).normalized().adjusted(-2, -1, 2, 1);
  return turn.isEmpty() ? QRegion() : QRegion(all.toAlignedRect());
}

}  // namespace shardlens::ui
