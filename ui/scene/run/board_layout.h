// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>

#include <vector>

namespace shardlens::ui {

/// What the board of ranks has to make room for.
struct BoardShape {
  qint64 ranks = 0;
  bool has_table = true;  ///< the shares of waiting, and where there is room step and rate; else rank and now
  bool has_minimap = false;
  double place_width = 0;                ///< of the widest node or host name
  double scale = 1;                      ///< of the type in use to the drawings' 13 px
  std::vector<qint64> node_starts = {};  ///< rows, ascending, that begin another node than the row before
};

/// Where the parts of the board are: a table of ranks at the left, their lanes in the same rows at the right. Rows get
/// smaller until they can no longer be read, then they scroll. With very many ranks the latest stand on top, and all of
/// them below as a map of phases.
struct BoardLayout {
  QRectF minimap;    ///< above the lanes; empty without one
  QRectF head;       ///< "RANKS ... 14:20.7 ... 14:21.1": the axis of time
  QRectF columns;    ///< the names of the columns, and the steps
  QRectF rows;       ///< what rows are drawn in; clips
  QRectF phase_map;  ///< empty unless there are very many ranks
  QRectF legend;
  double lanes_left = 0;
  double lanes_right = 0;
  bool has_rates = false;         ///< room for step and rate
  double pitch = 0;               ///< height of a row
  double content = 0;             ///< height of all rows
  qint64 shown = 0;               ///< rows that exist: all ranks, or the latest ones when there is a map of phases
  double gap = 0;                 ///< above each of `gaps`
  std::vector<qint64> gaps = {};  ///< rows, ascending, that stand apart from the row before: another node
  // Columns: left edges of what is left-aligned, right edges of numbers.
  double name = 0, place = 0, step_right = 0, rate_right = 0, now = 0, now_right = 0, bar = 0, bar_right = 0,
         share_right = 0;

  [[nodiscard]] bool scrolls() const { return content > rows.height() + 0.5; }
  [[nodiscard]] double laneHeight() const;
  [[nodiscard]] QRectF row(qint64 index, double scrolled) const;
  /// The first row of which a part is in view.
  [[nodiscard]] qint64 firstRow(double scrolled) const;
  /// The row at this height, -1 = none, also between two nodes.
  [[nodiscard]] qint64 rowAt(double y, double scrolled) const;
};

constexpr qint64 kPhaseMapRanks = 128;  ///< with more ranks there is a map of phases
BoardLayout boardLayout(QSize size, const BoardShape& shape);
/// The height at which every row has its usual size, or its largest one, which a large window has room for.
int boardHeight(const BoardShape& shape, bool largest = false);

}  // namespace shardlens::ui
