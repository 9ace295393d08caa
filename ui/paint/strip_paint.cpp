// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/strip_paint.h"

#include "ui/scene/palette.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// Two cells of at least this width have a gap between them.
constexpr int kGapFrom = 5;
constexpr int kIdFrom = 20;

QColor columnColour(const StripColumn& column, const StageInput& input, StageColour mode, const Theme& theme) {
  if (column.rank < 0) return theme.cell_empty;
  if (mode == StageColour::SamplePosition) {
    return positionColor(theme, (input.placeOf(column.first) + input.placeOf(column.last - 1)) / 2);
  }
  if (mode == StageColour::Label && input.labelOf(column.first) >= 0 && column.last - column.first == 1)
    return labelColor(theme, input.labelOf(column.first));
  if (mode == StageColour::Rank) return rankColor(theme, column.rank, input.world);
  return mix(theme.muted, theme.cell_empty, 0.6);
}

QRect cellOf(const QRect& area, const StripColumn& column) {
  const int width = column.to - column.from;
  const int gap = width >= kGapFrom ? (width >= 8 ? 2 : 1) : 0;
  return {area.left() + column.from, area.top(), width - gap, area.height()};
}

void paintColumn(QPainter& painter, const QRect& cell, const StripColumn& column, double top, const QColor& colour,
                 const Theme& theme) {
  const bool single = column.last - column.first == 1 && cell.width() >= kGapFrom;
  if (single) {
    painter.setPen(column.share > 0 ? QPen(edgeOf(theme, colour), 1) : QPen(Qt::NoPen));
    painter.setBrush(column.share > 0 ? colour : theme.cell_empty);
    return painter.drawRoundedRect(QRectF(cell).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  painter.fillRect(cell, theme.cell_empty);
  if (column.share <= 0) return;
  // A column that has any seen sample shows it, however small the share.
  constexpr int kLeast = 3;
  const double share = std::min(static_cast<double>(column.share) / top, 1.0);
  const int height = kLeast + static_cast<int>(std::lround(share * (cell.height() - kLeast)));
  painter.fillRect(QRect(cell.left(), cell.bottom() + 1 - height, cell.width(), height), colour);
}

void paintMarks(QPainter& painter, const QRect& area, const StripColumn& column, const Theme& theme) {
  if (!column.duplicate && !column.padding) return;
  const QRect foot(area.left() + column.from, area.bottom() + 2, std::max(column.to - column.from - 1, 3), 3);
  painter.fillRect(foot, column.duplicate ? duplicateColor(theme) : paddingColor(theme));
  if (column.padding && foot.width() >= kGapFrom) painter.fillRect(foot, QBrush(theme.window, Qt::BDiagPattern));
}

void paintId(QPainter& painter, const QRect& cell, const StripColumn& column, const QColor& colour,
             const Theme& theme) {
  if (column.last - column.first != 1 || column.to - column.from < kIdFrom) return;
  painter.setPen(column.share > 0 ? readableOn(colour) : theme.muted);
  painter.drawText(cell, Qt::AlignCenter, QString::number(column.first));
}

}  // namespace

void paintStrip(QPainter& painter, const QRect& area, const std::vector<StripColumn>& columns, double top,
                const StageInput& input, StageColour colour, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing, columns.size() < 400);
  painter.setFont(smallFont());
  for (const StripColumn& column : columns) {
    const QRect cell = cellOf(area, column);
    const QColor fill = columnColour(column, input, colour, theme);
    paintColumn(painter, cell, column, top, fill, theme);
    paintMarks(painter, area, column, theme);
    paintId(painter, cell, column, fill, theme);
  }
}

}  // namespace shardlens::ui
