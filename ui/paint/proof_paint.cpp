// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/proof_paint.h"

#include "ui/paint/hatch.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

QColor colourOf(ProofCell cell, const Theme& theme) {
  switch (cell) {
    case ProofCell::Match:
      return theme.fine;
    case ProofCell::Mismatch:
      return theme.error;
    case ProofCell::Unchecked:
    case ProofCell::Ahead:
    case ProofCell::None:
      break;
  }
  return mix(theme.cell_empty, theme.panel, 0.65);
}

}  // namespace

void paintProof(QPainter& painter, QPointF at, const ProofScene& scene, const Theme& theme) {
  constexpr double kRounded = 5;
  painter.save();
  painter.setPen(Qt::NoPen);
  for (int row = 0; row < scene.rows; ++row) {
    for (int column = 0; column < scene.columns; ++column) {
      const ProofCell cell = scene.at(row, column);
      if (cell == ProofCell::None) continue;
      const QRectF rect = scene.rect(row, column).translated(at);
      const bool rounded = std::min(rect.width(), rect.height()) >= kRounded;
      painter.setRenderHint(QPainter::Antialiasing, rounded);
      painter.setBrush(colourOf(cell, theme));
      painter.drawRoundedRect(rect, rounded ? 1.5 : 0, rounded ? 1.5 : 0);
      if (cell == ProofCell::Unchecked) paintHatch(painter, rect, theme.faint, rounded ? 1.5 : 0);
    }
  }
  painter.restore();
}

}  // namespace shardlens::ui
