// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/resume_strip_paint.h"

#include "ui/paint/hatch.h"

#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kGapFrom = 6;  ///< device pixels: narrower columns touch
constexpr double kStripRadius = 3;
constexpr double kBeyond = 3;  ///< of the stop over the strip's edges

}  // namespace

QColor trainedColor(const Theme& theme) {
  return mix(theme.accent, theme.cell_empty, theme.dark ? 0.42 : 0.34);
}

QColor aheadColor(const Theme& theme) {
  return mix(theme.accent, theme.cell_empty, 0.09);
}

QColor repeatedColor(const Theme& theme) {
  return theme.error;
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
  for (const ResumeStripColumn& column : scene.columns) {
    const int room = column.to - column.from;
    const int width = room >= kGapFrom ? room - (room >= 10 ? 2 : 1) : room;
    const int repeated = filledPixels(column.repeated, height);
    const int lost =
        std::min(filledPixels(column.lost, height), repeated > 0 ? std::max(1, height - repeated) : height);
    painter.fillRect(column.from, 0, width, height, column.trained ? trained : ahead);
    painter.fillRect(column.from, height - repeated, width, repeated, repeatedColor(theme));
    painter.fillRect(column.from, height - repeated - lost, width, lost, lossColor());
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
