// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/legend_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/theme.h"

#include <QFontMetricsF>
#include <QLinearGradient>

#include <iterator>

namespace shardlens::ui {
namespace {

constexpr double kSide = 14;
constexpr double kRibbon = 22;
constexpr double kSwatchRadius = 3;
/// The lengths that give way where there is little room.
struct LegendSpacing {
  double scale = 60;
  double between = 18;
  double gap = 6;  ///< a mark and its words
};
constexpr LegendSpacing kLegendSpacings[] = {{60, 18, 6}, {48, 12, 6}, {28, 9, 4}};

double markWidth(const LegendEntry& entry, const LegendSpacing& spacing) {
  if (entry.mark == LegendMark::Scale) return spacing.scale;
  if (entry.mark == LegendMark::Ribbon) return kRibbon;
  if (entry.mark != LegendMark::Fills) return kSide;
  return static_cast<double>(entry.colours.size()) * (kSide + 3) - 3;
}

double widthOf(const LegendEntry& entry, const QFontMetricsF& metrics, const LegendSpacing& spacing) {
  double width = markWidth(entry, spacing);
  for (const QString& text : {entry.from, entry.to, entry.text}) {
    if (!text.isEmpty()) width += spacing.gap + metrics.horizontalAdvance(text);
  }
  return width;
}

void paintFill(QPainter& painter, const QRectF& place, const QColor& colour, const Theme& theme) {
  painter.setPen(QPen(edgeOf(theme, colour), 1));
  painter.setBrush(colour);
  painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kSwatchRadius, kSwatchRadius);
}

void paintScale(QPainter& painter, const QRectF& place, const LegendEntry& entry) {
  QLinearGradient gradient(place.topLeft(), place.topRight());
  for (std::size_t i = 0; i < entry.colours.size(); ++i) {
    gradient.setColorAt(static_cast<double>(i) / static_cast<double>(entry.colours.size() - 1), entry.colours[i]);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(QRectF(place.left(), place.center().y() - 3, place.width(), 6), 2, 2);
}

bool isSelectionMark(LegendMark mark) {
  return mark == LegendMark::Selected || mark == LegendMark::SharesSamples || mark == LegendMark::HasSample;
}

/// What has the one colour of its entry, mostly that of a rank.
void paintRankMark(QPainter& painter, const QRectF& place, const LegendEntry& entry, const Theme& theme) {
  constexpr double kThick = 5;
  const QColor& rank = entry.colours.front();
  const double ring = entry.mark == LegendMark::HasSample ? 2 : 3;
  if (entry.mark == LegendMark::Ribbon) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(rank);
    painter.drawRoundedRect(QRectF(place.left(), place.center().y() - kThick / 2, place.width(), kThick), kThick / 2,
                            kThick / 2);
  } else if (isSelectionMark(entry.mark)) {
    painter.setPen(QPen(rank, ring));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(place.adjusted(1.5, 1.5, -1.5, -1.5), kSwatchRadius, kSwatchRadius);
  } else if (entry.mark == LegendMark::InStep) {
    painter.setPen(QPen(edgeOf(theme, rank), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), kSwatchRadius, kSwatchRadius);
  } else {
    paintFill(painter, place, rank, theme);
    paintNotches(painter, place, 1, theme);
  }
}

void paintMark(QPainter& painter, const QRectF& place, const LegendEntry& entry, const Theme& theme) {
  switch (entry.mark) {
    case LegendMark::Scale:
      return paintScale(painter, place, entry);
    case LegendMark::Spread: {
      const QColor fill = positionColor(theme, 0.5);
      paintFill(painter, place, fill, theme);
      return painter.fillRect(QRectF(place.left() + 3, place.bottom() - 5, place.width() - 6, 2), markOn(fill));
    }
    case LegendMark::Fills:
      for (std::size_t i = 0; i < entry.colours.size(); ++i) {
        paintFill(painter, {place.left() + static_cast<double>(i) * (kSide + 3), place.top(), kSide, kSide},
                  entry.colours[i], theme);
      }
      return;
    case LegendMark::Ring:
      return paintDuplicateRing(painter, place, kSwatchRadius, 1.6, theme);
    case LegendMark::Hatch:
      paintHatch(painter, place, paddingColor(theme), 3);
      painter.setPen(QPen(paddingColor(theme), 1));
      painter.setBrush(Qt::NoBrush);
      return painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kSwatchRadius, kSwatchRadius);
    case LegendMark::DogEar:
      paintFill(painter, place, theme.cell_empty, theme);
      return paintDogEar(painter, place, 7, theme);
    case LegendMark::Never:
      return paintNever(painter, place, kSwatchRadius, theme);
    case LegendMark::Lost:
      return paintLost(painter, place, kSwatchRadius);
    case LegendMark::NoBatch:
      return paintNoBatch(painter, place, kSwatchRadius, theme);
    case LegendMark::Undealt:
      return paintNotDealt(painter, place, kSwatchRadius, theme);
    case LegendMark::InFlight:
      return paintInFlight(painter, place, kSwatchRadius, theme);
    case LegendMark::Ribbon:
    case LegendMark::InStep:
    case LegendMark::Notch:
    case LegendMark::Selected:
    case LegendMark::SharesSamples:
    case LegendMark::HasSample:
      return paintRankMark(painter, place, entry, theme);
  }
}

void paintEntry(QPainter& painter, QRectF place, const LegendEntry& entry, const LegendSpacing& spacing,
                const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const auto text = [&](const QString& words) {
    if (words.isEmpty()) return;
    painter.setPen(entry.place ? theme.accent : theme.text);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, words);
    place.setLeft(place.left() + metrics.horizontalAdvance(words) + spacing.gap);
  };
  text(entry.from);
  const double width = markWidth(entry, spacing);
  paintMark(painter, {place.left(), place.center().y() - kSide / 2, width, kSide}, entry, theme);
  place.setLeft(place.left() + width + spacing.gap);
  text(entry.to);
  text(entry.text);
}

double widthOf(const std::vector<LegendEntry>& entries, const LegendSpacing& spacing) {
  const QFontMetricsF metrics(smallFont());
  double width = 0;
  for (const LegendEntry& entry : entries) width += widthOf(entry, metrics, spacing) + spacing.between;
  return entries.empty() ? 0 : width - spacing.between;
}

/// The widest spacing with which all entries fit, else the closest.
LegendSpacing spacingFor(const std::vector<LegendEntry>& entries, double width) {
  for (const LegendSpacing& spacing : kLegendSpacings) {
    if (widthOf(entries, spacing) <= width) return spacing;
  }
  return kLegendSpacings[std::size(kLegendSpacings) - 1];
}

constexpr double kRound = 3;

void paintPiece(QPainter& painter, const QRectF& area, const QColor& fill, const Theme& theme) {
  painter.setPen(QPen(edgeOf(theme, fill), 1));
  painter.setBrush(fill);
  painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
}

}  // namespace

double legendWidth(const std::vector<LegendEntry>& entries) {
  return widthOf(entries, kLegendSpacings[0]);
}

double leastLegendWidth(const std::vector<LegendEntry>& entries) {
  return widthOf(entries, kLegendSpacings[std::size(kLegendSpacings) - 1]);
}

std::vector<QRectF> legendPlaces(const QRect& area, const std::vector<LegendEntry>& entries) {
  const QFontMetricsF metrics(smallFont());
  const LegendSpacing spacing = spacingFor(entries, area.width());
  std::vector<QRectF> places;
  double left = area.left();
  for (const LegendEntry& entry : entries) {
    const double width = widthOf(entry, metrics, spacing);
    if (left + width > area.left() + area.width()) break;
    places.emplace_back(left, area.top(), width + 1, area.height());
    left += width + spacing.between;
  }
  return places;
}

void paintLegend(QPainter& painter, const QRect& area, const std::vector<LegendEntry>& entries, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  const LegendSpacing spacing = spacingFor(entries, area.width());
  const std::vector<QRectF> places = legendPlaces(area, entries);
  for (std::size_t i = 0; i < places.size(); ++i) paintEntry(painter, places[i], entries[i], spacing, theme);
}

void paintLost(QPainter& painter, const QRectF& area, double radius) {
  const QColor colour = neverColor();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(area, radius, radius);
  paintHatch(painter, area, mix(Qt::white, colour, 0.55), radius);
}

void paintShareBar(QPainter& painter, const QRectF& area, const std::vector<LensShare>& shares, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  if (shares.empty()) return paintPiece(painter, area, theme.cell_empty, theme);
  for (const SharePiece& piece : shareBar(shares, area.width())) {
    const QRectF place(area.left() + piece.from, area.top(), piece.to - piece.from, area.height());
    if (piece.kind == ShareKind::Lost) {
      paintLost(painter, place, kRound);
    } else {
      paintPiece(painter, place, shareColor(theme, piece.kind), theme);
    }
  }
}

}  // namespace shardlens::ui
