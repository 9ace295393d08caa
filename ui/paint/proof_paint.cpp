// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/proof_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr double kRounded = 5;  ///< px: smaller cells have neither round corners nor an outline
constexpr double kMarkRadius = 1.5;

void paintCell(QPainter& painter, const QRectF& rect, ProofCell cell, const Theme& theme) {
  const bool rounded = std::min(rect.width(), rect.height()) >= kRounded;
  const double radius = rounded ? kMarkRadius : 0;
  const QColor empty = mix(theme.cell_empty, theme.panel, 0.65);
  painter.setRenderHint(QPainter::Antialiasing, rounded);
  painter.setPen(Qt::NoPen);
  if (cell == ProofCell::Ahead && rounded) {
    painter.setPen(QPen(mix(theme.faint, theme.panel, 0.5), 1));
    painter.setBrush(Qt::NoBrush);
    return painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
  }
  painter.setBrush(cell == ProofCell::Match      ? theme.fine
                   : cell == ProofCell::Recorded ? theme.muted
                   : cell == ProofCell::Mismatch ? theme.error
                   : cell == ProofCell::NotKept  ? mix(theme.faint, theme.panel, 0.35)
                                                 : empty);
  painter.drawRoundedRect(rect, radius, radius);
  if (cell == ProofCell::Unchecked) paintHatch(painter, rect, theme.faint, radius);
  if (cell != ProofCell::Mismatch || !rounded) return;
  painter.setPen(QPen(theme.panel, 1.4));
  painter.drawLine(rect.bottomLeft() + QPointF(1.5, -1.5), rect.topRight() + QPointF(-1.5, 1.5));
}

}  // namespace

void paintProof(QPainter& painter, const ProofScene& scene, const Theme& theme) {
  painter.save();
  for (int row = 0; row < scene.rows; ++row) {
    for (int column = 0; column < scene.columns; ++column) {
      const ProofCell cell = scene.at(row, column);
      if (cell != ProofCell::None) paintCell(painter, scene.rect(row, column), cell, theme);
    }
  }
  painter.restore();
}

void paintProofLegend(QPainter& painter, QPointF at, double width, const ProofScene& scene, const Theme& theme) {
  constexpr double kBox = 11;
  constexpr double kBoxToText = 6;
  constexpr double kBetween = 18;
  const std::pair<ProofCell, QString> entries[] = {
      {ProofCell::Match, phrase("run", "proven")},           {ProofCell::Recorded, phrase("run", "recorded")},
      {ProofCell::Mismatch, phrase("run", "different")},     {ProofCell::Ahead, phrase("run", "planned")},
      {ProofCell::Unchecked, phrase("run", "not compared")}, {ProofCell::NotKept, phrase("run", "no longer kept")}};
  painter.save();
  const QFontMetricsF metrics(painter.font());
  double x = at.x();
  const auto has = [&scene](ProofCell cell) {
    return std::find(scene.cells.begin(), scene.cells.end(), cell) != scene.cells.end();
  };
  const bool is_compared = !has(ProofCell::Recorded);
  for (const auto& [cell, name] : entries) {
    const bool is_usual = cell == ProofCell::Match || cell == ProofCell::Mismatch || cell == ProofCell::Ahead;
    if (!(is_usual && is_compared) && !has(cell)) continue;
    const double needed = kBox + kBoxToText + metrics.horizontalAdvance(name);
    if (x + needed > at.x() + width) break;
    paintCell(painter, {x, at.y() - kBox / 2, kBox, kBox}, cell, theme);
    painter.setPen(theme.muted);
    painter.drawText(QPointF(x + kBox + kBoxToText, at.y() + metrics.capHeight() / 2), name);
    x += needed + kBetween;
  }
  painter.restore();
}

}  // namespace shardlens::ui
