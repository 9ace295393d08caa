// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/matrix_items.h"

#include "ui/scene/theme.h"

#include <QRegion>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr double kGap = 2;
constexpr double kRadius = 2;
constexpr double kSmallestRing = 9;

/// Antialiasing without the half pixel by which QCPPainter moves everything along with it.
void smoothOnPixels(QCPPainter* painter) {
  painter->setAntialiasing(false);
  painter->setRenderHint(QPainter::Antialiasing);
}

QRect pixelsOf(const QRectF& rect) {
  return {rect.topLeft().toPoint(), rect.bottomRight().toPoint() - QPoint(1, 1)};
}

/// Lines so close that even the smallest cell has a part of one.
void drawHatch(QCPPainter* painter, const QRegion& region, const QColor& colour) {
  constexpr int kPitch = 4;
  if (region.isEmpty()) return;
  painter->save();
  painter->setAntialiasing(false);
  painter->setClipRegion(region, Qt::IntersectClip);
  painter->setPen(QPen(colour, 1));
  const QRect all = region.boundingRect();
  const int first = (all.left() + all.top()) / kPitch * kPitch;
  for (int sum = first; sum <= all.right() + all.bottom(); sum += kPitch) {
    painter->drawLine(QPoint(sum - all.bottom(), all.bottom()), QPoint(sum - all.top(), all.top()));
  }
  painter->restore();
}

}  // namespace

QRectF cellRect(const QCustomPlot& plot, HeatCell cell) {
  const auto x = [&plot](qint64 column) { return plot.xAxis->coordToPixel(static_cast<double>(column) - 0.5); };
  const auto y = [&plot](qint64 row) { return plot.yAxis->coordToPixel(static_cast<double>(row) - 0.5); };
  return {QPointF(x(cell.column), y(cell.row)), QPointF(x(cell.column + 1), y(cell.row + 1))};
}

void CellsItem::draw(QCPPainter* painter) {
  if (heat == nullptr) return;
  smoothOnPixels(painter);
  painter->setPen(Qt::NoPen);
  QRegion hatched;
  for (qint64 row = 0; row < heat->size; ++row) {
    for (qint64 column = 0; column < heat->size; ++column) {
      const float value = heat->at(row, column);
      const QRectF rect = cellRect(*mParentPlot, {row, column}).adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
      const bool padding = colours.hatched && value > 0;
      painter->setBrush(row == column ? colours.diagonal : padding ? colours.empty : colours.of(value));
      painter->drawRoundedRect(rect, kRadius, kRadius);
      if (padding && row != column) hatched += pixelsOf(rect);
    }
  }
  drawHatch(painter, hatched, colours.hot);
}

void HatchItem::draw(QCPPainter* painter) {
  QRegion region;
  for (qint64 row = 0; row < blocks.size; ++row) {
    for (qint64 column = 0; column < blocks.size; ++column) {
      if (blocks.at(row, column) <= 0) continue;
      const QRectF from = cellRect(*mParentPlot, {row * block, column * block});
      const QRectF to = cellRect(*mParentPlot, {(row + 1) * block - 1, (column + 1) * block - 1});
      region += pixelsOf(from.united(to));
    }
  }
  drawHatch(painter, region, colour);
}

void MarksItem::draw(QCPPainter* painter) {
  painter->setBrush(Qt::NoBrush);
  drawGroups(painter);
  if (selected) {
    drawRing(painter, {selected->column, selected->row}, QPen(theme().muted, 1));
    drawRing(painter, *selected, QPen(theme().text, 2));
  }
  if (cursor) drawRing(painter, *cursor, QPen(theme().accent, 2));
}

void MarksItem::drawGroups(QCPPainter* painter) const {
  if (group <= 0) return;
  constexpr double kOverhang = 4;
  constexpr double kClosest = 16;
  const QRectF all = cellRect(*mParentPlot, {0, 0}).united(cellRect(*mParentPlot, {size - 1, size - 1}));
  if (all.width() * static_cast<double>(group) < kClosest * static_cast<double>(size)) return;  // would be all lines
  painter->setAntialiasing(false);
  painter->setPen(QPen(mix(theme().faint, theme().panel, 0.6), 1));
  for (qint64 row = group; row < size; row += group) {
    const QPointF at = cellRect(*mParentPlot, {row, row}).topLeft();
    painter->drawLine(QPointF(all.left() - kOverhang, at.y()), QPointF(all.right(), at.y()));
    painter->drawLine(QPointF(at.x(), all.top()), QPointF(at.x(), all.bottom() + kOverhang));
  }
}

void MarksItem::drawRing(QCPPainter* painter, HeatCell cell, const QPen& pen) const {
  QRectF rect = cellRect(*mParentPlot, cell);
  const double more = std::max(0.0, kSmallestRing - rect.width()) / 2;
  rect.adjust(-more, -more, more, more);
  smoothOnPixels(painter);
  painter->setPen(pen);
  painter->drawRoundedRect(rect, kRadius + 1, kRadius + 1);
}

}  // namespace shardlens::ui
