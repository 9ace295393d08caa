// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/strip_paint.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

double luminance(const QColor& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// Two cells of at least this width have a gap between them.
constexpr int kGapFrom = 5;
constexpr int kIdFrom = 20;

QColor columnColour(const StripColumn& column, const StageInput& input, const Theme& theme) {
  return column.rank < 0 ? theme.cell_empty : rankColor(column.rank, input.nodes, input.ranks_per_node);
}

void paintColumn(QPainter& painter, const QRect& area, const StripColumn& column, const StageInput& input,
                 const Theme& theme) {
  const int width = column.to - column.from;
  const int gap = width >= kGapFrom ? (width >= 8 ? 2 : 1) : 0;
  const QRect cell(area.left() + column.from, area.top(), width - gap, area.height());
  const QColor colour = columnColour(column, input, theme);
  if (column.share <= 0) return painter.fillRect(cell, theme.cell_empty);
  // A column that has any seen sample shows it, however small the share.
  const int least = std::min(area.height() / 4, area.height());
  const int height = least + static_cast<int>(std::lround(column.share * static_cast<float>(area.height() - least)));
  painter.fillRect(cell, theme.cell_empty);
  painter.fillRect(QRect(cell.left(), cell.bottom() + 1 - height, cell.width(), height), colour);
}

void paintMarks(QPainter& painter, const QRect& area, const StripColumn& column, const Theme& theme) {
  if (!column.duplicate && !column.padding) return;
  const QRect foot(area.left() + column.from, area.bottom() + 2, std::max(column.to - column.from - 1, 3), 3);
  painter.fillRect(foot, column.duplicate ? theme.error : theme.warning);
  if (column.padding && foot.width() >= kGapFrom) painter.fillRect(foot, QBrush(theme.window, Qt::BDiagPattern));
}

void paintId(QPainter& painter, const QRect& area, const StripColumn& column, const StageInput& input,
             const Theme& theme) {
  if (column.last - column.first != 1 || column.to - column.from < kIdFrom) return;
  painter.setPen(column.share > 0 ? readableOn(columnColour(column, input, theme)) : theme.muted);
  painter.drawText(QRect(area.left() + column.from, area.top(), column.to - column.from - 2, area.height()),
                   Qt::AlignCenter, QString::number(column.first));
}

}  // namespace

QColor readableOn(const QColor& background) {
  const double light = luminance(background);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? QColor(Qt::black) : QColor(Qt::white);
}

void paintStrip(QPainter& painter, const QRect& area, const std::vector<StripColumn>& columns, const StageInput& input,
                const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  QFont font = uiFont();
  font.setPixelSize(std::max(9, static_cast<int>(std::lround(font.pixelSize() * 11.0 / 13.0))));
  painter.setFont(font);
  for (const StripColumn& column : columns) {
    paintColumn(painter, area, column, input, theme);
    paintMarks(painter, area, column, theme);
    paintId(painter, area, column, input, theme);
  }
}

}  // namespace shardlens::ui
