// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/share_bar_paint.h"

#include "ui/paint/hatch.h"
#include "ui/scene/palette.h"

namespace shardlens::ui {
namespace {

constexpr double kRound = 3;

void paintPiece(QPainter& painter, const QRectF& area, const QColor& fill, const Theme& theme) {
  painter.setPen(QPen(edgeOf(theme, fill), 1));
  painter.setBrush(fill);
  painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
}

}  // namespace

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
