// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/run_axis_paint.h"

#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kBesideWords = 6;

void hair(QPainter& painter, double x, double top, double bottom, const QColor& colour) {
  painter.fillRect(QRectF(std::round(x), top, 1, bottom - top), colour);
}

}  // namespace

void paintTimeGrid(QPainter& painter, const QRectF& area, const std::vector<TimeTick>& ticks,
                   const std::vector<StepMark>& steps, const Theme& theme) {
  painter.save();
  painter.setClipRect(area, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const TimeTick& tick : ticks) hair(painter, area.left() + tick.x, area.top(), area.bottom(), theme.hairline);
  const QColor step = mix(theme.faint, theme.window, 0.55);
  for (const StepMark& mark : steps) hair(painter, area.left() + mark.x, area.top(), area.bottom(), step);
  painter.restore();
}

void paintTimeTicks(QPainter& painter, const QRectF& row, const std::vector<TimeTick>& ticks, const QString& latest,
                    const Theme& theme) {
  const QFont plain = painter.font();
  double right = row.right();
  if (!latest.isEmpty()) {
    QFont bold = plain;
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, latest);
    right -= QFontMetricsF(bold).horizontalAdvance(latest) + 2 * kBesideWords;
    painter.setFont(plain);
  }
  painter.setPen(theme.muted);
  const QFontMetricsF metrics(plain);
  for (const TimeTick& tick : ticks) {
    const double width = metrics.horizontalAdvance(tick.text);
    const double left = std::max(row.left(), row.left() + tick.x - width / 2);
    if (left + width > right) break;
    painter.drawText(QRectF(left, row.top(), width + 1, row.height()), Qt::AlignLeft | Qt::AlignVCenter, tick.text);
  }
}

void paintStepMarks(QPainter& painter, const QRectF& row, const std::vector<StepMark>& steps, const Theme& theme) {
  painter.save();
  painter.setClipRect(row, Qt::IntersectClip);
  const QColor line = mix(theme.faint, theme.window, 0.55);
  for (const StepMark& mark : steps) {
    const bool is_short = mark.text.isEmpty() && !mark.is_one;  // words may stand above it
    hair(painter, row.left() + mark.x, is_short ? row.bottom() - 3 : row.top() + row.height() / 4, row.bottom(), line);
    if (mark.text.isEmpty()) continue;
    painter.setPen(theme.muted);
    if (mark.is_one) {
      const double from = std::max(0.0, mark.x);
      painter.drawText(QRectF(row.left() + from, row.top(), mark.until - from, row.height()), Qt::AlignCenter,
                       mark.text);
    } else {
      painter.drawText(QRectF(row.left() + mark.x + 4, row.top(), row.width(), row.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, mark.text);
    }
  }
  painter.restore();
}

QRectF paintSelectedTime(QPainter& painter, const QRectF& area, const TimeWindow& window,
                         const std::optional<std::pair<std::int64_t, std::int64_t>>& time, const Theme& theme) {
  if (!time) return {};
  const double from = std::clamp(window.pixelOf(time->first, area.width()), 0.0, area.width());
  const double to = std::clamp(window.pixelOf(time->second, area.width()), 0.0, area.width());
  if (to <= from) return {};
  QColor colour = theme.accent;
  colour.setAlphaF(0.14F);
  const QRectF band(area.left() + from, area.top(), std::max(2.0, to - from), area.height());
  painter.fillRect(band, colour);
  return band;
}

void paintMinimap(QPainter& painter, const QRectF& area, const Minimap& map, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.fillRect(area, theme.panel);
  const QColor compute = phaseColor(Phase::Compute);
  const QColor waste = phaseAccent(Phase::Wait);
  for (std::size_t i = 0; i < map.columns.size(); ++i) {
    const Minimap::Column& column = map.columns[i];
    const double x = area.left() + static_cast<double>(i) * Minimap::kColumn;
    const double all = column.step < 0 ? 0 : std::max(1.0, std::round(column.all * area.height()));
    const double below = std::round(column.compute * area.height());
    if (column.stalled) {
      painter.fillRect(QRectF(x, area.top(), Minimap::kColumn, area.height()), theme.error);
    } else if (all > 0) {
      painter.fillRect(QRectF(x, area.bottom() - all, Minimap::kColumn, all - below), waste);
      painter.fillRect(QRectF(x, area.bottom() - below, Minimap::kColumn, below), compute);
    }
  }
  const QFontMetricsF metrics(painter.font());
  for (const Minimap::EpochMark& mark : map.epochs) {
    const QString words = phrase("run", "epoch %1").arg(number(mark.epoch));
    const double x = area.left() + mark.x;
    hair(painter, x, area.top(), area.bottom(), theme.faint);
    const QRectF place(x + 3, area.top() + 1, metrics.horizontalAdvance(words) + 6, metrics.height());
    if (map.epochs.size() < 2 || place.right() > area.right()) continue;
    QColor ground = theme.panel;
    ground.setAlphaF(0.8F);
    painter.fillRect(place, ground);
    painter.setPen(theme.text);
    painter.drawText(place, Qt::AlignCenter, words);
  }
  painter.setPen(theme.hairline);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area.adjusted(0, 0, -1, -1));
  painter.restore();
}

void paintMinimapFrame(QPainter& painter, const QRectF& area, const MinimapFrame& frame, const Theme& theme) {
  QColor inside = theme.accent;
  inside.setAlphaF(0.12F);
  const QRectF place(area.left() + frame.left, area.top(), frame.right - frame.left, area.height());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.accent, 2));
  painter.setBrush(inside);
  painter.drawRoundedRect(place.adjusted(1, -1, -1, 1), 3, 3);
}

void paintStall(QPainter& painter, const QRectF& lane, const PixelRange& range, const QString& words,
                const Theme& theme) {
  const double from = std::max(range.from, 0.0);
  const double to = std::min(range.to, lane.width());
  if (to - from < 2) return;
  const QRectF frame(lane.left() + from + 1, lane.top() - 1, to - from - 2, lane.height() + 2);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.error, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(frame, 3, 3);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(words) + 12;
  if (width > frame.width() || metrics.height() > lane.height() + 2) return;
  const QRectF plate(frame.center().x() - width / 2, lane.center().y() - metrics.height() / 2, width, metrics.height());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.panel);
  painter.drawRoundedRect(plate, 3, 3);
  painter.setPen(theme.text);
  painter.drawText(plate, Qt::AlignCenter, words);
}

void paintDeath(QPainter& painter, const QRectF& lane, double x, const Theme& theme) {
  const double half = std::min(6.0, lane.height() / 2);
  const QPointF centre(std::min(lane.left() + x + half + 2, lane.right() - half), lane.center().y());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(lane.left() + x - 1, lane.top() - 3, 2, lane.height() + 6), theme.error);
  painter.setPen(QPen(theme.error, 2.2, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(centre - QPointF(half - 2, half - 2), centre + QPointF(half - 2, half - 2));
  painter.drawLine(centre - QPointF(half - 2, 2 - half), centre + QPointF(half - 2, 2 - half));
}

}  // namespace shardlens::ui
