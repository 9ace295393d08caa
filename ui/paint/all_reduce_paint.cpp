// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/all_reduce_paint.h"

#include "ui/state/phrase.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kReducePitch = 1.5;       ///< of a line of text
constexpr double kMostChunksWidth = 0.25;  ///< of the width, while messages need room

/// Where the parts of each row are.
struct ReduceColumns {
  QRectF area;  ///< of the rows
  double pitch = 0;
  double chunk = 0;          ///< width of one
  double before = 0;         ///< where chunks begin
  double after = 0;          ///< and those after the round
  double label = 0, to = 0;  ///< where labels begin and arrows end

  [[nodiscard]] double top(std::size_t row) const { return area.top() + static_cast<double>(row) * pitch; }
  [[nodiscard]] double middle(std::size_t row) const { return top(row) + pitch / 2; }
};

QString rowName(const AllReduceScene& scene, std::size_t place) {
  return phrase("tabs", "rank %1").arg(scene.ranks.at(static_cast<qsizetype>(place)));
}

/// Once all rounds are over, chunks have the whole width.
ReduceColumns columnsOf(const QFontMetricsF& metrics, const QRectF& area, const AllReduceScene& scene,
                        const ReduceRounds& rounds, bool is_over) {
  const double gap = metrics.height() / 2;
  double names = 0;
  for (std::size_t place = 0; place < rounds.rows.front().size(); ++place)
    names = std::max(names, metrics.horizontalAdvance(rowName(scene, place)));
  double widest = gap;
  std::size_t chunks = 1;
  for (const std::vector<ReduceRow>& moment : rounds.rows) {
    for (const ReduceRow& row : moment) {
      chunks = std::max(chunks, row.chunks.size());
      for (const ReduceChunk& chunk : row.chunks)
        widest = std::max(widest, metrics.horizontalAdvance(chunk.text) + gap);
    }
  }
  ReduceColumns columns;
  columns.area = area.adjusted(0, kReducePitch * metrics.height(), 0, 0);
  columns.pitch = kReducePitch * metrics.height();
  columns.before = area.left() + names + gap;
  const double room = is_over ? area.right() - columns.before - 1 : kMostChunksWidth * area.width();
  columns.chunk = std::min(widest, room / static_cast<double>(chunks));
  const double block = columns.chunk * static_cast<double>(chunks);
  columns.after = area.right() - block - 1;
  columns.label = columns.before + block + gap;
  columns.to = columns.after - gap / 2;
  return columns;
}

void paintChunks(QPainter& painter, const ReduceColumns& columns, double left, std::size_t place, const ReduceRow& row,
                 const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  QRectF cell(left, columns.top(place) + columns.pitch * 0.1, columns.chunk, columns.pitch * 0.8);
  for (const ReduceChunk& chunk : row.chunks) {
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(mix(theme.accent, theme.panel, 0.45 * chunk.share));
    painter.drawRect(cell);
    painter.setPen(theme.text);
    painter.drawText(cell, Qt::AlignCenter, metrics.elidedText(chunk.text, Qt::ElideRight, cell.width()));
    cell.translate(columns.chunk, 0);
  }
}

void paintArrow(QPainter& painter, QPointF from, QPointF to, double size) {
  painter.drawLine(from, to);
  const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
  const auto side = [&](double turn) {
    return to - QPointF(size * std::cos(angle + turn), size * std::sin(angle + turn));
  };
  painter.drawPolygon(QPolygonF({to, side(0.4), side(-0.4)}));
}

void paintMessages(QPainter& painter, const ReduceColumns& columns, const std::vector<ReduceArrow>& arrows,
                   const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  double widest = 0;
  for (const ReduceArrow& arrow : arrows) widest = std::max(widest, metrics.horizontalAdvance(arrow.label));
  const double most = std::max(0.0, columns.to - columns.label - 3 * metrics.height());  // the rest is the arrow's
  const double label = std::min(widest, most);
  for (const ReduceArrow& arrow : arrows) {
    painter.setPen(theme.text);
    painter.drawText(QRectF(columns.label, columns.top(arrow.from), label + 1, columns.pitch),
                     Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(arrow.label, Qt::ElideRight, label + 1));
    painter.setPen(QPen(theme.accent, 1.4));
    painter.setBrush(theme.accent);
    paintArrow(painter, {columns.label + label + metrics.height() / 3, columns.middle(arrow.from)},
               {columns.to, columns.middle(arrow.to)}, metrics.height() / 2);
  }
}

}  // namespace

double reduceRoundsHeight(const QFontMetricsF& metrics, qsizetype ranks) {
  return kReducePitch * metrics.height() * static_cast<double>(ranks + 1);
}

std::optional<std::size_t> reduceRowAt(const QFontMetricsF& metrics, double y, qsizetype ranks) {
  const double row = std::floor(y / (kReducePitch * metrics.height())) - 1;
  if (row < 0 || row >= static_cast<double>(ranks)) return std::nullopt;
  return static_cast<std::size_t>(row);
}

void paintReduceRounds(QPainter& painter, const QRectF& area, const AllReduceScene& scene, const ReduceRounds& rounds,
                       std::size_t done, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const std::size_t moment = std::min(done, rounds.rounds());
  painter.setPen(theme.muted);
  painter.drawText(QRectF(area.left(), area.top(), area.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(reduceHead(rounds, done), Qt::ElideRight, area.width()));
  const ReduceColumns columns = columnsOf(metrics, area, scene, rounds, moment == rounds.rounds());
  const std::vector<ReduceRow>& now = rounds.rows[moment];
  for (std::size_t place = 0; place < now.size(); ++place) {
    painter.setPen(theme.muted);
    painter.drawText(QRectF(area.left(), columns.top(place), columns.before - area.left(), columns.pitch),
                     Qt::AlignLeft | Qt::AlignVCenter, rowName(scene, place));
    paintChunks(painter, columns, columns.before, place, now[place], theme);
    if (moment == rounds.rounds()) continue;
    paintChunks(painter, columns, columns.after, place, rounds.rows[moment + 1][place], theme);
  }
  if (moment < rounds.rounds()) paintMessages(painter, columns, rounds.arrows[moment], theme);
}

}  // namespace shardlens::ui
