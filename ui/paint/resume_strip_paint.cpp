// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/resume_strip_paint.h"

#include "ui/paint/hatch.h"
#include "ui/scene/palette.h"

#include <QBrush>
#include <QImage>

#include <cmath>

namespace shardlens::ui {
namespace {

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

}  // namespace

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

}  // namespace shardlens::ui
