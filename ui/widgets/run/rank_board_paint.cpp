// SPDX-License-Identifier: GPL-3.0-or-later
// How the board looks.
#include "ui/paint/lane_paint.h"
#include "ui/paint/run_axis_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/run/minimap_view.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/time_view.h"

#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kTickSpacing = 90;

QString errorText(const std::optional<double>& error_us) {
  if (!error_us) return phrase("run", "clocks not comparable");
  return *error_us > 0 ? phrase("run", "clock error ± %1").arg(durationText(qRound64(*error_us * 1000)))
                       : phrase("run", "same clock");
}

}  // namespace

QString RankBoard::windowText() const {
  const QString length = phrase("run", "%1 in view").arg(durationText(window().span()));
  if (state_ == nullptr) return phrase("run", "predicted · %1").arg(length);
  const bool is_coarse =
      lanes_.overview != nullptr && lanes_.overview->resolution_ns > 0 && window().begin() < state_->recent.begin_ns;
  QStringList parts = {length, errorText(state_->clock_error_us)};
  if (is_coarse) {
    parts += phrase("run", "older times in blocks of %1").arg(durationText(lanes_.overview->resolution_ns));
  }
  return parts.join(QStringLiteral(" · "));
}

QRectF RankBoard::lanesArea(const BoardLayout& layout) const {
  const double bottom = layout.phase_map.isEmpty() ? layout.legend.top() : layout.phase_map.bottom();
  return {layout.lanes_left, layout.rows.top(), layout.lanes_right - layout.lanes_left, bottom - layout.rows.top()};
}

void RankBoard::paintHead(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  painter.setFont(headFont());
  painter.setPen(colours.muted);
  painter.drawText(QRectF(layout.name, layout.head.top(), px(60), layout.head.height()), Qt::AlignVCenter,
                   phrase("run", "Ranks"));
  if (minimap_ != nullptr && state_ != nullptr) {
    QRectF row(layout.name, layout.minimap.top(), layout.lanes_left - layout.name - px(8), layout.minimap.height() / 2);
    painter.setFont(smallFont());
    const std::int64_t top = minimap_->map().top_ns;
    if (top > 0) painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, durationText(top));
    row.translate(0, row.height());
    painter.drawText(row, Qt::AlignVCenter,
                     top > 0 ? phrase("run", "longest step per column") : phrase("run", "no step was measured"));
    if (top > 0) painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, "0");
  }
  paintColumnNames(painter, layout, columns_ == Columns::All, colours);
  if (layout.phase_map.isEmpty()) return;
  painter.setFont(smallFont());
  painter.setPen(colours.muted);
  const QRectF line(layout.name, layout.rows.bottom(), layout.lanes_left,
                    layout.phase_map.top() - layout.rows.bottom());
  painter.drawText(line, Qt::AlignVCenter, phrase("run", "above: the latest %1").arg(layout.shown));
  painter.drawText(
      line.translated(layout.lanes_left - layout.name, 0), Qt::AlignVCenter,
      phrase("run", "all %1; each row shows its worst value").arg(countOf(static_cast<qint64>(rows_.size()), "rank")));
}

std::vector<TimeTick> RankBoard::namedTicks(std::vector<TimeTick> ticks, const BoardLayout& layout) const {
  if (minimap_ != nullptr || state_ == nullptr) return ticks;  // they stand beside the minimap, or there are none
  const double taken = latest_->geometry().right() + px(8) - layout.lanes_left;
  const QFontMetricsF metrics(smallFont());
  for (TimeTick& tick : ticks) {
    if (tick.x - metrics.horizontalAdvance(tick.text) / 2 < taken) tick.text.clear();
  }
  return ticks;
}

/// Time above, steps below, and their hairs through the lanes.
void RankBoard::paintAxis(QPainter& painter, const BoardLayout& layout) const {
  if (lanes_.recent == nullptr) return;
  const double width = layout.lanes_right - layout.lanes_left;
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  const auto ticks = timeTicks(window(), width, px(kTickSpacing));
  const Lane* first = lanes_.recent->lanes.empty() ? nullptr : &lanes_.recent->lanes.front();
  const auto steps = stepMarks(lanes_.overview.get(), first, window(), width,
                               [&metrics](const QString& words) { return metrics.horizontalAdvance(words); });
  paintTimeGrid(painter, lanesArea(layout), ticks, steps, theme());
  paintSelectedStep(painter, layout);
  const QRectF times(layout.lanes_left, layout.head.top(), width, layout.head.height());
  const bool is_live = state_ != nullptr && window().isFollowing() && state_->status == JobStatus::Running &&
                       window().end() == state_->elapsed_ns;
  const bool in_seconds = window().last() < 60'000'000'000;
  const QString now =
      is_live ? phrase("run", "now %1").arg(momentText(window().end(), 100'000'000, in_seconds)) : QString();
  paintTimeTicks(painter, times, namedTicks(ticks, layout), now, theme());
  paintStepMarks(painter, {layout.lanes_left, layout.columns.top(), width, layout.columns.height()}, steps, theme());
}

void RankBoard::paintSelectedStep(QPainter& painter, const BoardLayout& layout) const {
  QRectF area = lanesArea(layout);
  area.setTop(layout.columns.top());
  const QRectF band = paintSelectedTime(painter, area, window(), selected_time_, theme());
  if (!band.isEmpty()) painter.fillRect(QRectF(band.left(), band.bottom() - 2, band.width(), 2), theme().accent);
}

void RankBoard::paintRankLane(QPainter& painter, const BoardLayout& layout, const QRectF& row, qint64 rank) const {
  if (rank >= static_cast<qint64>(lanes_.ranks())) return;
  const int width = static_cast<int>(layout.lanes_right - layout.lanes_left);
  const QRectF lane(layout.lanes_left, row.center().y() - layout.laneHeight() / 2, width, layout.laneHeight());
  const LaneSource source = lanes_.of(static_cast<std::size_t>(rank));
  paintLane(painter, lane, laneBlocks(source, window().begin(), window().end(), width), theme(), state_ == nullptr);
  if (const auto stall = state_ == nullptr ? std::nullopt : stallOf(*state_, rank)) {
    const PixelRange range{window().pixelOf(stall->from_ns, width), window().pixelOf(stall->to_ns, width)};
    paintStall(painter, lane, range, durationText(stall->to_ns - stall->from_ns), theme());
  }
  const bool is_dead = state_ != nullptr && state_->ranks[static_cast<std::size_t>(rank)].status == RankStatus::Dead;
  if (!is_dead || source.over_ns < window().begin() || source.over_ns > window().end()) return;
  paintDeath(painter, lane, window().pixelOf(source.over_ns, width), theme());
}

void RankBoard::paintRows(QPainter& painter, const BoardLayout& layout) const {
  const Theme& colours = theme();
  painter.save();
  painter.setClipRect(layout.rows.adjusted(0, -1, 0, 1));
  const auto shown = std::min<qint64>(layout.shown, static_cast<qint64>(rows_.size()));
  for (qint64 index = layout.firstRow(scrolled()); index < shown; ++index) {
    const QRectF row = layout.row(index, scrolled());
    if (row.top() > layout.rows.bottom()) break;
    const qint64 rank = rows_[static_cast<std::size_t>(index)];
    const RankRow words = rowOf(rank);
    const bool is_selected = std::find(selected_.begin(), selected_.end(), rank) != selected_.end();
    paintRowBand(painter, row, words.is_culprit, is_selected, colours);
    paintRankRow(painter, layout, row, words, columns_ == Columns::All, colours);
    paintRankLane(painter, layout, row, rank);
  }
  paintNodeLines(painter, layout);
  painter.restore();
}

/// In the gap between two nodes.
void RankBoard::paintNodeLines(QPainter& painter, const BoardLayout& layout) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const qint64 index : layout.gaps) {
    const double y = std::round(layout.row(index, scrolled()).top() - layout.gap / 2);
    painter.fillRect(QRectF(layout.name, y, layout.lanes_right - layout.name, 1), theme().hairline);
  }
}

void RankBoard::paintMap(QPainter& painter, const BoardLayout& layout) const {
  if (layout.phase_map.isEmpty() || lanes_.recent == nullptr) return;
  const QSize pixels = layout.phase_map.size().toSize();
  paintPhaseMap(painter, layout.phase_map,
                phaseMap(lanes_, window().begin(), window().end(), pixels.width(), pixels.height()), theme());
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  const auto ranks = static_cast<qint64>(rows_.size());
  constexpr int kMarks = 4;
  for (int mark = 0; mark <= kMarks; ++mark) {
    const double y = layout.phase_map.top() + layout.phase_map.height() * mark / kMarks;
    const QRectF place(0, y - px(8), layout.lanes_left - px(8), px(16));
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, number(std::min(ranks - 1, ranks * mark / kMarks)));
  }
}

/// The moment that is shown, where the recording goes on after it, and what is being dragged over.
void RankBoard::paintOver(QPainter& painter, const BoardLayout& layout) const {
  const QRectF area = lanesArea(layout);
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (state_ != nullptr && state_->elapsed_ns < window().last() && state_->elapsed_ns > window().begin() &&
      state_->elapsed_ns < window().end()) {
    const double x = area.left() + window().pixelOf(state_->elapsed_ns, area.width());
    painter.fillRect(QRectF(std::round(x) - 1, area.top(), 2, area.height()), theme().accent);
  }
  const auto over = input_.brushed(area);
  if (!over) return;
  input_.paint(painter, area);
  const double from = over->left();
  const double to = over->right();
  const auto length =
      window().momentAt(to - area.left(), area.width()) - window().momentAt(from - area.left(), area.width());
  painter.setFont(smallFont());
  painter.setPen(theme().accent);
  const QRectF words(from + 4, area.top() - layout.columns.height(), px(120), layout.columns.height());
  painter.fillRect(QRectF(words.left() - 4, words.top(),
                          painter.fontMetrics().horizontalAdvance(durationText(length)) + 8, words.height()),
                   theme().window);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, durationText(length));
}

void RankBoard::paintFoot(QPainter& painter, const BoardLayout& layout) const {
  painter.setFont(smallFont());
  // Below the lanes, or below all of the board where they are too short for it.
  const bool fits = laneLegendWidth(QFontMetricsF(painter.font())) <= layout.legend.width();
  const double left = fits ? layout.legend.left() : layout.name;
  const double end = paintLegend(painter, {left, layout.legend.center().y()}, layout.legend.right() - left, theme());
  const QRectF rest(end, layout.legend.top(), layout.lanes_right - end, layout.legend.height());
  const QFontMetricsF metrics(painter.font());
  QString words = phrase("run", "%1 · drag to zoom all panels").arg(windowText());
  if (columns_ == Columns::Few || metrics.horizontalAdvance(words) > rest.width()) words = windowText();
  if (metrics.horizontalAdvance(words) > rest.width()) return;
  painter.setPen(theme().muted);
  painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, words);
}

void RankBoard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const BoardLayout layout = layoutNow();
  if (rows_.empty()) {
    if (state_ == nullptr) return;
    painter.setFont(smallFont());
    painter.setPen(theme().muted);
    painter.drawText(QRectF(layout.name, 0, width() - layout.name, px(24)), Qt::AlignVCenter,
                     isUnderWay(state_->status) ? phrase("run", "No rank has reported yet.")
                                                : phrase("run", "No rank has reported anything."));
    return;
  }
  paintAxis(painter, layout);
  paintHead(painter, layout);
  paintRows(painter, layout);
  paintMap(painter, layout);
  paintOver(painter, layout);
  paintFoot(painter, layout);
}

}  // namespace shardlens::ui
