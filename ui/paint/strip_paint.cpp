// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/strip_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/stage/strip.h"
#include "ui/scene/theme.h"

#include <QBrush>
#include <QImage>
#include <QPainterPath>

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

constexpr int kColumnGapFrom = 6;  ///< device pixels: narrower columns touch
constexpr double kStripRadius = 3;
constexpr double kBeyond = 3;  ///< of the stop over the strip's edges

/// Diagonals that run on from column to column, however narrow they are.
QBrush lostBrush() {
  constexpr int kPitch = 5;
  QImage tile(kPitch, kPitch, QImage::Format_RGB32);
  tile.fill(neverColor());
  for (int i = 0; i < kPitch; ++i) tile.setPixelColor(i, kPitch - 1 - i, mix(Qt::white, neverColor(), 0.55));
  return tile;
}

/// What is marked in one column: repeated samples at its foot, lost ones above, each below a line of the panel where
/// there is room for it.
void paintParts(QPainter& painter, const QRect& column, int repeated, int lost, const QBrush& lost_brush,
                const Theme& theme) {
  int top = column.height();
  const auto part = [&](int height, int needed, const QBrush& brush) {
    if (height == 0) return;
    top -= height;
    painter.fillRect(column.left(), top, column.width(), height, brush);
    if (top > needed) painter.fillRect(column.left(), --top, column.width(), 1, theme.panel);
  };
  part(repeated, lost, duplicateColor(theme));
  part(lost, 0, lost_brush);
}

constexpr double kMarkSide = 7;
constexpr double kMarkHeight = 5;
/// However many epochs there are, the shown one is at least so wide.
constexpr double kLeastShown = 5;

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

QColor trainedColor(const Theme& theme) {
  return mix(theme.accent, theme.cell_empty, theme.dark ? 0.42 : 0.34);
}

QColor aheadColor(const Theme& theme) {
  return mix(theme.accent, theme.cell_empty, 0.09);
}

void paintResumeStrip(QPainter& painter, const QRectF& area, const ResumeStripScene& scene, double scale,
                      const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.translate(area.topLeft());
  painter.scale(1 / scale, 1 / scale);
  const int height = static_cast<int>(std::lround(area.height() * scale));
  const QColor trained = trainedColor(theme);
  const QColor ahead = aheadColor(theme);
  constexpr int kHatchFrom = 4;
  const QBrush hatched = lostBrush();
  for (const ResumeStripColumn& column : scene.columns) {
    const int room = column.to - column.from;
    const int width = room >= kColumnGapFrom ? room - (room >= 10 ? 2 : 1) : room;
    const int repeated = filledPixels(column.repeated, height);
    const int lost =
        std::min(filledPixels(column.lost, height), repeated > 0 ? std::max(1, height - repeated) : height);
    painter.fillRect(column.from, 0, width, height, column.trained ? trained : ahead);
    paintParts(painter, {column.from, 0, width, height}, repeated, lost,
               lost >= kHatchFrom ? hatched : QBrush(neverColor()), theme);
  }
  painter.restore();
}

void paintUnknownStrip(QPainter& painter, const QRectF& area, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.cell_empty, theme.window, 0.6));
  painter.drawRoundedRect(area, kStripRadius, kStripRadius);
  paintHatch(painter, area, mix(theme.faint, theme.window, 0.55), kStripRadius);
  painter.restore();
}

void paintSeam(QPainter& painter, const QRectF& area, double x, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double at = area.left() + x;
  painter.fillRect(QRectF(at - 0.75, area.top() - kBeyond, 1.5, area.height() + 2 * kBeyond), theme.accent);
  painter.restore();
}

void paintEpochs(QPainter& painter, const QRectF& row, qint64 epochs, qint64 shown, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QColor each = mix(theme.text, theme.window, 0.14);
  const QColor tenth = mix(theme.text, theme.window, 0.42);
  for (const EpochBlock& block : epochBlocks(epochs, row.width(), row.height())) {
    const QRectF place(row.left() + block.from, row.top(), block.to - block.from, row.height());
    painter.fillRect(place, block.is_tenth ? tenth : each);
  }
  const double pitch = epochPitch(epochs, row.width(), row.height());
  const double width = std::max(pitch - 1, kLeastShown);
  const double left = std::min(static_cast<double>(shown) * pitch, row.width() - width);
  painter.fillRect(QRectF(row.left() + left, row.top(), width, row.height()), theme.accent);
}

void paintTimeMark(QPainter& painter, const QPointF& tip, Tone tone, const Theme& theme) {
  QPainterPath path(tip);
  path.lineTo(tip - QPointF(kMarkSide / 2, kMarkHeight));
  path.lineTo(tip - QPointF(-kMarkSide / 2, kMarkHeight));
  path.closeSubpath();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(path, tone == Tone::Error ? theme.error : tone == Tone::Warning ? theme.warning : theme.muted);
}

}  // namespace shardlens::ui
