// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/board_layout.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kMargin = 16;
constexpr double kMinimap = 32;
constexpr double kBelowMinimap = 6;
constexpr double kHead = 22;
constexpr double kColumns = 22;
constexpr double kLegend = 30;
constexpr double kUsualRow = 30;
constexpr double kTallestRow = 120;
constexpr double kSmallestRow = 16;
constexpr double kNodeGap = 8;
constexpr double kRoomForRates = 1500;
constexpr double kShareOfLatest = 0.45;  ///< of the height, when there is a map of phases below
constexpr double kPhaseMapHead = 26;

void placeColumns(BoardLayout& layout, const BoardShape& shape, double width) {
  const double s = shape.scale;
  const double digits = std::floor(std::log10(std::max<double>(1, static_cast<double>(shape.ranks - 1)))) + 1;
  layout.name = kMargin * s;
  layout.place = layout.name + (11 + 9 * digits) * s;
  double x = layout.place + std::clamp(shape.place_width, 16 * s, 96 * s);
  layout.has_rates = shape.has_table && width >= kRoomForRates * s;
  if (layout.has_rates) {
    layout.step_right = x += 54 * s;
    layout.rate_right = x += 64 * s;
  }
  layout.now = x += 20 * s;
  layout.now_right = x += (layout.has_rates ? 186 : shape.has_table ? 130 : 96) * s;
  if (shape.has_table) {
    layout.bar = x += 4 * s;
    layout.bar_right = x += 28 * s;
    layout.share_right = x += 36 * s;
  }
  layout.lanes_left = x + 10 * s;
}

/// Nodes stand apart, unless just that would make rows scroll.
void placeNodes(BoardLayout& layout, const BoardShape& shape, double room) {
  const double gap = kNodeGap * shape.scale;
  const double gaps = gap * static_cast<double>(shape.node_starts.size());
  const double least = static_cast<double>(shape.ranks) * kSmallestRow * shape.scale;
  if (least <= room && least + gaps > room) return;
  layout.gap = gap;
  layout.gaps = shape.node_starts;
}

void placeRows(BoardLayout& layout, const BoardShape& shape, double height) {
  const double s = shape.scale;
  const double room = std::max(0.0, height);
  if (shape.ranks <= kPhaseMapRanks) {
    placeNodes(layout, shape, room);
    const double gaps = layout.gap * static_cast<double>(layout.gaps.size());
    const auto ranks = static_cast<double>(std::max<qint64>(shape.ranks, 1));
    layout.shown = shape.ranks;
    layout.pitch =
        shape.ranks == 0 ? kUsualRow * s : std::clamp((room - gaps) / ranks, kSmallestRow * s, kTallestRow * s);
    layout.content = gaps + layout.pitch * static_cast<double>(layout.shown);
    const double whole = std::floor(room / layout.pitch) * layout.pitch;  // no row is cut through
    layout.rows.setHeight(layout.content > room + 0.5 ? whole : room);
  } else {
    layout.pitch = 20 * s;
    layout.shown = std::max<qint64>(1, static_cast<qint64>(room * kShareOfLatest / layout.pitch));
    layout.rows.setHeight(layout.pitch * static_cast<double>(layout.shown));
    const double top = layout.rows.bottom() + kPhaseMapHead * s;
    layout.phase_map = {layout.lanes_left, top, layout.lanes_right - layout.lanes_left,
                        std::max(0.0, layout.rows.top() + room - top)};
    layout.content = layout.pitch * static_cast<double>(layout.shown);
  }
}

}  // namespace

double BoardLayout::laneHeight() const {
  return std::clamp(std::round(pitch * 0.65), 4.0, 78.0);
}

QRectF BoardLayout::row(qint64 index, double scrolled) const {
  const auto above = std::ranges::upper_bound(gaps, index) - gaps.begin();
  const double top = static_cast<double>(index) * pitch + static_cast<double>(above) * gap;
  return {rows.left(), rows.top() + top - scrolled, rows.width(), pitch};
}

qint64 BoardLayout::rowAt(double y, double scrolled) const {
  if (pitch <= 0 || y < rows.top() || y >= rows.bottom()) return -1;
  const qint64 index = firstRow(y - rows.top() + scrolled);
  return index < shown && row(index, scrolled).top() <= y ? index : -1;
}

qint64 BoardLayout::firstRow(double scrolled) const {
  if (pitch <= 0) return 0;
  // Gaps only move rows down: without them it would be this one or a later one.
  auto index = std::clamp<qint64>(static_cast<qint64>(scrolled / pitch), 0, shown);
  while (index > 0 && row(index - 1, scrolled).bottom() > rows.top()) --index;
  return index;
}

BoardLayout boardLayout(QSize size, const BoardShape& shape) {
  const double s = shape.scale;
  const double width = size.width();
  BoardLayout layout;
  const double top = shape.has_minimap ? (kMinimap + kBelowMinimap) * s : 0;
  layout.head = {0, top, width, kHead * s};
  layout.columns = {0, layout.head.bottom(), width, kColumns * s};
  layout.rows = {0, layout.columns.bottom(), width, 0};
  placeColumns(layout, shape, width);
  layout.lanes_right = std::max(layout.lanes_left + 40 * s, width - 24 * s);
  if (shape.has_minimap) layout.minimap = {layout.lanes_left, 0, layout.lanes_right - layout.lanes_left, kMinimap * s};
  placeRows(layout, shape, size.height() - layout.columns.bottom() - kLegend * s);
  const double below = layout.phase_map.isEmpty() ? layout.rows.top() + std::min(layout.content, layout.rows.height())
                                                  : layout.phase_map.bottom();
  layout.legend = {layout.lanes_left, below, layout.lanes_right - layout.lanes_left, kLegend * s};
  return layout;
}

int boardHeight(const BoardShape& shape, bool largest) {
  const double row = largest ? kTallestRow : kUsualRow;
  const double rows = static_cast<double>(std::min<qint64>(shape.ranks, kPhaseMapRanks)) * row;
  const double map = shape.has_minimap ? kMinimap + kBelowMinimap : 0;
  const double gaps = shape.ranks <= kPhaseMapRanks ? kNodeGap * static_cast<double>(shape.node_starts.size()) : 0;
  return static_cast<int>(std::ceil((map + kHead + kColumns + rows + gaps + kLegend) * shape.scale));
}

}  // namespace shardlens::ui
