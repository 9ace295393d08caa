// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/run_paint.h"

#include "ui/paint/cell_marks.h"
#include "ui/scene/number_text.h"
#include "ui/state/phrase.h"

#include <QFontMetricsF>
#include <QImage>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr double kSpanGap = 1.5;
constexpr double kSpanRadius = 3;
constexpr double kTouching = 4;  ///< px: narrower blocks have neither gap nor rounded corners
constexpr double kDimmed = 0.5;
constexpr double kLegendBox = 12;  ///< of the legend
constexpr double kLegendGap = 20;
constexpr double kLegendToText = 6;

constexpr std::array<Phase, 5> kLegend = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer, Phase::Unmeasured};

QColor colourOf(Phase phase, const Theme& theme, bool is_dim) {
  const QColor colour = phaseColor(phase);
  return is_dim ? mix(colour, theme.window, kDimmed) : colour;
}

void paintUnmeasured(QPainter& painter, const QRectF& rect, const Theme& theme, double radius) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.cell_empty, theme.window, 0.6));
  painter.drawRoundedRect(rect, radius, radius);
  paintHatch(painter, rect, mix(theme.faint, theme.window, 0.55), radius);
}

QRgb phaseMapColour(std::uint8_t cell, const Theme& theme) {
  if (cell == PhaseMap::kNothing) return theme.window.rgb();
  const auto phase = static_cast<Phase>(cell);
  return phase == Phase::Unmeasured ? mix(theme.faint, theme.window, 0.55).rgb() : phaseColor(phase).rgb();
}

constexpr double kSmallRow = 22;  ///< px: below it the small type is used

QRectF between(double left, double right, const QRectF& row) {
  return {left, row.top(), right - left, row.height()};
}

void word(QPainter& painter, const QRectF& place, const QString& text, const QColor& colour, int alignment) {
  painter.setPen(colour);
  const QString shown = QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, place.width());
  painter.drawText(place, alignment | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

void paintDot(QPainter& painter, QPointF centre, const QColor& colour, bool hollow) {
  constexpr double kDotRadius = 4;
  painter.setPen(hollow ? QPen(colour, 1.5) : QPen(Qt::NoPen));
  painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
  painter.drawEllipse(centre, kDotRadius, kDotRadius);
}

void paintShare(QPainter& painter, const BoardLayout& layout, const QRectF& row, double share, const Theme& theme) {
  if (share < 0) return word(painter, between(layout.bar, layout.share_right, row), "–", theme.faint, Qt::AlignRight);
  const double height = 8;
  const QRectF track(layout.bar, row.center().y() - height / 2, layout.bar_right - layout.bar, height);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.cell_empty, theme.window, 0.8));
  painter.drawRoundedRect(track, height / 2, height / 2);
  painter.setBrush(phaseAccent(Phase::Wait));
  painter.save();
  painter.setClipRect(QRectF(track.left(), track.top(), std::max(1.5, track.width() * share), height),
                      Qt::IntersectClip);
  painter.drawRoundedRect(track, height / 2, height / 2);
  painter.restore();
  painter.setFont(smallFont());
  word(painter, between(layout.bar_right, layout.share_right, row), QString("%1\u202f%").arg(std::lround(share * 100)),
       theme.muted, Qt::AlignRight);
}

/// Where there is no room for it, what a rank waits for is left out, then for how long.
QString wordsThatFit(const RankRow& rank, const QFontMetricsF& metrics, double room) {
  if (metrics.horizontalAdvance(rank.now) <= room) return rank.now;
  for (const QString& words : rank.now_briefly) {
    if (metrics.horizontalAdvance(words) <= room) return words;
  }
  return rank.now_briefly.isEmpty() ? rank.now : rank.now_briefly.back();
}

constexpr double kBesideWords = 6;

void hair(QPainter& painter, double x, double top, double bottom, const QColor& colour) {
  painter.fillRect(QRectF(std::round(x), top, 1, bottom - top), colour);
}

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

void paintLane(QPainter& painter, const QRectF& area, const std::vector<LaneBlock>& blocks, const Theme& theme,
               bool is_dim) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (const LaneBlock& block : blocks) {
    const double width = block.x1 - block.x0;
    const bool wide = width >= kTouching;
    const double radius = wide ? std::min(kSpanRadius, (width - kSpanGap) / 3) : 0;
    const QRectF rect(area.left() + block.x0, area.top(), wide ? width - kSpanGap : width, area.height());
    if (block.phase == Phase::Unmeasured) {
      paintUnmeasured(painter, rect, theme, radius);
    } else if (wide) {
      const QColor edge = is_dim ? mix(phaseEdge(block.phase), theme.window, kDimmed) : phaseEdge(block.phase);
      painter.setPen(QPen(edge, 1));
      painter.setBrush(colourOf(block.phase, theme, is_dim));
      painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
      painter.setPen(Qt::NoPen);
    } else {
      painter.fillRect(rect, colourOf(block.phase, theme, is_dim));
    }
  }
  painter.restore();
}

void paintPhaseMap(QPainter& painter, const QRectF& area, const PhaseMap& scene, const Theme& theme) {
  std::array<QRgb, 256> colours{};
  for (std::size_t cell = 0; cell < colours.size(); ++cell) {
    const bool known = cell < kLegend.size() || cell == PhaseMap::kNothing;
    colours[cell] = phaseMapColour(known ? static_cast<std::uint8_t>(cell) : PhaseMap::kNothing, theme);
  }
  QImage image(scene.width, scene.height, QImage::Format_RGB32);
  for (int y = 0; y < scene.height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const std::uint8_t* cells = scene.cells.data() + static_cast<std::ptrdiff_t>(y) * scene.width;
    for (int x = 0; x < scene.width; ++x) line[x] = colours[cells[x]];
  }
  painter.drawImage(area, image);
}

double laneLegendWidth(const QFontMetricsF& metrics) {
  double width = 0;
  for (const Phase phase : kLegend)
    width += kLegendBox + kLegendToText + metrics.horizontalAdvance(phaseLabel(phase)) + kLegendGap;
  return width - kLegendGap;
}

double paintLegend(QPainter& painter, QPointF at, double width, const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(painter.font());
  double x = at.x();
  for (const Phase phase : kLegend) {
    const QString name = phaseLabel(phase);
    const double needed = kLegendBox + kLegendToText + metrics.horizontalAdvance(name);
    if (x + needed > at.x() + width) break;
    const QRectF box(x, at.y() - kLegendBox / 2, kLegendBox, kLegendBox);
    if (phase == Phase::Unmeasured) {
      paintUnmeasured(painter, box, theme, kSpanRadius);
    } else {
      painter.setPen(phaseEdge(phase));
      painter.setBrush(phaseColor(phase));
      painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kSpanRadius, kSpanRadius);
    }
    painter.setPen(theme.muted);
    painter.drawText(QPointF(x + kLegendBox + kLegendToText, at.y() + metrics.capHeight() / 2), name);
    x += needed + kLegendGap;
  }
  painter.restore();
  return x;
}

QString phaseLabel(Phase phase) {
  switch (phase) {
    case Phase::Load:
      return phrase("run", "data wait");
    case Phase::Compute:
      return phrase("run", "compute");
    case Phase::Wait:
      return phrase("run", "waiting for others");
    case Phase::Transfer:
      return phrase("run", "transfer");
    case Phase::Unmeasured:
      break;
  }
  return phrase("run", "not measured");
}

QColor nowColour(NowTone tone, const Theme& theme) {
  switch (tone) {
    case NowTone::Load:
      return phaseAccent(Phase::Load);
    case NowTone::Compute:
      return phaseAccent(Phase::Compute);
    case NowTone::Wait:
      return phaseAccent(Phase::Wait);
    case NowTone::Transfer:
      return phaseAccent(Phase::Transfer);
    case NowTone::Good:
      return theme.fine;
    case NowTone::Bad:
      return theme.error;
    case NowTone::Unmeasured:
      break;
  }
  return theme.faint;
}

void paintColumnNames(QPainter& painter, const BoardLayout& layout, bool has_table, const Theme& theme) {
  painter.setFont(smallFont());
  const QRectF& row = layout.columns;
  word(painter, between(layout.name, layout.now, row), phrase("run", "rank"), theme.muted, Qt::AlignLeft);
  word(painter, between(layout.now, layout.now_right, row), phrase("run", "now"), theme.muted, Qt::AlignLeft);
  if (layout.has_rates) {
    word(painter, between(layout.place, layout.step_right, row), phrase("run", "step"), theme.muted, Qt::AlignRight);
    word(painter, between(layout.step_right, layout.rate_right, row), phrase("run", "samples/s"), theme.muted,
         Qt::AlignRight);
  }
  if (!has_table) return;
  word(painter, between(layout.bar, layout.share_right, row), phrase("run", "wait share"), theme.muted, Qt::AlignLeft);
}

void paintRowBand(QPainter& painter, const QRectF& row, bool is_culprit, bool is_selected, const Theme& theme) {
  if (!is_culprit && !is_selected) return;
  constexpr double kInset = 8;
  const QRectF band = row.adjusted(kInset, 0, -kInset, 0);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(is_selected ? QPen(mix(theme.accent, theme.window, 0.6), 1) : QPen(Qt::NoPen));
  painter.setBrush(is_culprit ? mix(theme.accent, theme.window, theme.dark ? 0.12 : 0.06) : QColor(Qt::transparent));
  painter.drawRoundedRect(band.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void paintRankRow(QPainter& painter, const BoardLayout& layout, const QRectF& row, const RankRow& rank, bool has_table,
                  const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = layout.pitch < kSmallRow ? smallFont() : uiFont();
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  word(painter, between(layout.name, layout.place, row), rank.name, theme.text, Qt::AlignLeft);
  painter.setFont(smallFont());
  const double place_right = layout.has_rates ? layout.step_right - 50 : layout.now - 8;
  word(painter, between(layout.place, std::max(layout.place + 20, place_right), row), rank.place, theme.muted,
       Qt::AlignLeft);
  font.setWeight(QFont::Normal);
  painter.setFont(font);
  const bool bad = rank.tone == NowTone::Bad;
  const bool unknown = rank.tone == NowTone::Unmeasured;
  paintDot(painter, {layout.now + 4, row.center().y()}, nowColour(rank.tone, theme), unknown);
  const QRectF now = between(layout.now + 14, layout.now_right, row);
  word(painter, now, wordsThatFit(rank, QFontMetricsF(font), now.width()),
       bad       ? theme.error
       : unknown ? theme.muted
                 : theme.text,
       Qt::AlignLeft);
  if (layout.has_rates) {
    word(painter, between(layout.place, layout.step_right, row), rank.step, theme.text, Qt::AlignRight);
    word(painter, between(layout.step_right, layout.rate_right, row), rank.rate, theme.text, Qt::AlignRight);
  }
  if (has_table) paintShare(painter, layout, row, rank.wait_share, theme);
}

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
