// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/time_paint.h"

#include "ui/scene/stage/time_marks.h"

#include <QPainterPath>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr double kMarkSide = 7;
constexpr double kMarkHeight = 5;
/// However many epochs there are, the shown one is at least so wide.
constexpr double kLeastShown = 5;

}  // namespace

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
