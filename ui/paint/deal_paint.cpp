// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/deal_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/palette.h"

#include <QPainterPath>

#include <algorithm>
#include <vector>

namespace shardlens::ui {
namespace {

constexpr double kCellRadius = 4;
constexpr double kGlow = 4;
constexpr double kChipRadius = 5;

QColor withAlpha(QColor colour, double alpha) {
  colour.setAlphaF(static_cast<float>(alpha));
  return colour;
}

void paintDashed(QPainter& painter, const QRectF& place, double radius, const QColor& edge, const QColor& fill) {
  QPen pen(edge, 1.4);
  pen.setDashPattern({3, 2});
  painter.setPen(pen);
  painter.setBrush(fill);
  painter.drawRoundedRect(place.adjusted(0.7, 0.7, -0.7, -0.7), radius, radius);
}

void paintLanding(QPainter& painter, const Landing& landing, const Theme& theme) {
  if (landing.glow < 0) {
    return paintDashed(painter, landing.cell, kCellRadius, edgeOf(theme, landing.rank),
                       mix(landing.rank, theme.panel, 0.06));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(withAlpha(landing.rank, 0.3 * landing.glow), kGlow));
  painter.drawRoundedRect(landing.cell.adjusted(-kGlow / 2, -kGlow / 2, kGlow / 2, kGlow / 2), kCellRadius + 2,
                          kCellRadius + 2);
}

void paintPlaces(QPainter& painter, const Flight& flight, const Theme& theme) {
  const QColor edge = edgeOf(theme, flight.rank);
  if (flight.from.width() >= 8) paintDashed(painter, flight.from, 3, edge, mix(flight.rank, theme.panel, 0.15));
  if (!flight.is_dot) paintDashed(painter, flight.to, kChipRadius, withAlpha(edge, 0.6), Qt::transparent);
}

/// Faint where it began.
void paintTrail(QPainter& painter, const Flight& flight) {
  constexpr double kFaintest = 0.06;
  constexpr double kStrongest = 0.56;
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 1; i < flight.trail.size(); ++i) {
    const double way = static_cast<double>(i) / static_cast<double>(flight.trail.size() - 1);
    painter.setPen(QPen(withAlpha(flight.rank, kFaintest + (kStrongest - kFaintest) * way), 1.5));
    painter.drawLine(flight.trail[i - 1], flight.trail[i]);
  }
}

void paintFlight(QPainter& painter, const Flight& flight, const Theme& theme) {
  if (flight.is_dot) {
    painter.setPen(QPen(theme.panel, 0.8));
    painter.setBrush(QColor::fromRgb(flight.chip.colour));
    return painter.drawEllipse(flight.at);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(withAlpha(Qt::black, 0.14));
  painter.drawRoundedRect(flight.at.translated(0, 2).adjusted(-2, -1, 2, 2), kChipRadius + 2, kChipRadius + 2);
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(flight.at.adjusted(-1.5, -1.5, 1.5, 1.5), kChipRadius + 1, kChipRadius + 1);
  paintChip(painter, flight.chip, flight.at, theme);
}

/// From its tick down into the knot.
void paintHairs(QPainter& painter, const Ribbon& ribbon) {
  constexpr double kHairOpacity = 0.42;
  QPen pen(withAlpha(ribbon.colour, kHairOpacity * ribbon.opacity), 1);
  pen.setCosmetic(true);  // wider ones are filled polygons: many times the cost
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  QPainterPath hairs;
  for (const QPointF& tick : ribbon.ticks) {
    const QPointF from = tick + QPointF(0, 3);
    const QPointF to = from + (ribbon.knot - from) * ribbon.hairs;
    hairs.moveTo(from);
    hairs.cubicTo({from.x(), to.y()}, {to.x(), from.y()}, to);
  }
  painter.drawPath(hairs);
  for (const QPointF& tick : ribbon.ticks) painter.fillRect(QRectF(tick.x() - 1, tick.y(), 2, 3), ribbon.colour);
}

/// Straight parts are filled rectangles: a stroke of this width costs many times as much.
void paintPath(QPainter& painter, const Ribbon& ribbon, const QColor& colour) {
  const double half = ribbon.width / 2;
  painter.setPen(QPen(colour, ribbon.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  std::vector<QPointF> corner;
  const auto bend = [&] {
    if (corner.size() > 1) painter.drawPolyline(corner.data(), static_cast<int>(corner.size()));
    corner.clear();
  };
  for (std::size_t i = 1; i < ribbon.path.size(); ++i) {
    const QRectF along = QRectF(ribbon.path[i - 1], ribbon.path[i]).normalized();
    const bool is_straight = std::min(along.width(), along.height()) < 0.01 && along.width() + along.height() > half;
    if (is_straight) {
      bend();
      const bool is_upright = along.height() > along.width();
      painter.fillRect(is_upright ? along.adjusted(-half, 0, half, 0) : along.adjusted(0, -half, 0, half), colour);
    } else {
      if (corner.empty()) corner.push_back(ribbon.path[i - 1]);
      corner.push_back(ribbon.path[i]);
    }
  }
  bend();
}

void paintRibbon(QPainter& painter, const Ribbon& ribbon, const Theme& theme) {
  constexpr double kRibbonGlow = 3;
  constexpr double kSmallCell = 12;
  painter.setBrush(Qt::NoBrush);
  const bool is_small = std::min(ribbon.cell.width(), ribbon.cell.height()) < kSmallCell;
  if (ribbon.glow > 0) {
    painter.setPen(QPen(mix(ribbon.colour, theme.panel, 0.38 * ribbon.glow), kRibbonGlow));
    painter.drawRoundedRect(ribbon.cell.adjusted(-1.5, -1.5, 1.5, 1.5), kCellRadius + 1, kCellRadius + 1);
  } else if (ribbon.opacity == 1) {
    QPen outline(edgeOf(theme, ribbon.colour), is_small ? 1 : 1.2);
    if (!is_small) outline.setDashPattern({3, 2});
    outline.setCosmetic(is_small);
    painter.setPen(outline);
    painter.drawRoundedRect(ribbon.cell.adjusted(0.6, 0.6, -0.6, -0.6), is_small ? 0 : kCellRadius,
                            is_small ? 0 : kCellRadius);
  }
  paintPath(painter, ribbon, mix(ribbon.colour, theme.panel, ribbon.opacity));
}

/// A place of the strip: framed where it is wide enough, else a tick below it.
void paintSource(QPainter& painter, const QRectF& place, const DealMark& mark, const Theme& theme) {
  constexpr double kFramed = 8;
  const QColor edge = edgeOf(theme, mark.rank);
  if (place.width() < kFramed) {
    return painter.fillRect(QRectF(place.center().x() - 1.5, place.bottom() + 2, 3, 4), edge);
  }
  constexpr double kGap = 2;  // between two places
  const QRectF cell = place.adjusted(0, 0, -kGap, 0);
  if (!mark.has_come) return paintDashed(painter, cell, 3, edge, mix(mark.rank, theme.panel, 0.15));
  // What has come may have the colour of its rank: a line of the panel inside the frame sets it off.
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(edge, 2));
  painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 3, 3);
  painter.setPen(QPen(theme.panel, 2));
  painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), 2, 2);
}

void paintMarkedCell(QPainter& painter, const DealMark& mark, const Theme& theme) {
  constexpr double kSmallCell = 12;
  const QColor edge = edgeOf(theme, mark.rank);
  const bool is_small = std::min(mark.cell.width(), mark.cell.height()) < kSmallCell;
  const double radius = is_small ? 1 : kCellRadius;
  if (!mark.has_come && !is_small) {
    return paintDashed(painter, mark.cell, radius, edge, mix(mark.rank, theme.panel, 0.06));
  }
  const double out = is_small ? 0 : 1;  // into the gap, so that the batch's own ring stays in sight
  painter.setPen(QPen(edge, is_small ? 1.4 : 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(mark.cell.adjusted(-out, -out, out, out), radius, radius);
}

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

void paintRibbons(QPainter& painter, const std::vector<Ribbon>& ribbons, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Ribbon& ribbon : ribbons) paintHairs(painter, ribbon);
  for (const Ribbon& ribbon : ribbons) paintRibbon(painter, ribbon, theme);
}

QRegion regionOf(const std::vector<Ribbon>& ribbons) {
  QRectF all;
  for (const Ribbon& ribbon : ribbons) {
    all = all.united(ribbon.cell).united(QRectF(ribbon.knot, QSizeF(1, 1)));
    for (const QPointF& tick : ribbon.ticks) all = all.united(QRectF(tick, QSizeF(1, 1)));
    for (const QPointF& point : ribbon.path) all = all.united(QRectF(point, QSizeF(1, 1)));
  }
  return ribbons.empty() ? QRegion() : QRegion(all.adjusted(-8, -8, 8, 8).toAlignedRect());
}

void paintMarks(QPainter& painter, const std::vector<DealMark>& marks, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const DealMark& mark : marks) {
    for (const QRectF& place : mark.sources) paintSource(painter, place, mark, theme);
    paintMarkedCell(painter, mark, theme);
  }
}

QRegion regionOf(const std::vector<DealMark>& marks) {
  QRectF places;
  QRectF cells;
  for (const DealMark& mark : marks) {
    cells = cells.united(mark.cell);
    for (const QRectF& place : mark.sources) places = places.united(place);
  }
  if (marks.empty()) return {};
  return QRegion(places.adjusted(-3, -3, 3, 8).toAlignedRect()) + cells.adjusted(-3, -3, 3, 3).toAlignedRect();
}

void paintDeal(QPainter& painter, const DealFrame& deal, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(uiFont());
  for (const Landing& landing : deal.landings) paintLanding(painter, landing, theme);
  for (const Flight& flight : deal.flights) paintPlaces(painter, flight, theme);
  for (const Flight& flight : deal.flights) paintTrail(painter, flight);
  for (const Flight& flight : deal.flights) paintFlight(painter, flight, theme);
}

QRegion regionOf(const DealFrame& deal) {
  QRegion region;
  const auto add = [&region](const QRectF& rect) { region += rect.adjusted(-7, -7, 7, 7).toAlignedRect(); };
  for (const Landing& landing : deal.landings) add(landing.cell);
  for (const Flight& flight : deal.flights) {
    add(flight.from);
    add(flight.at);
    for (std::size_t i = 4; i < flight.trail.size(); i += 4) {
      add(QRectF(flight.trail[i - 4], flight.trail[i]).normalized());
    }
  }
  return region;
}

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
