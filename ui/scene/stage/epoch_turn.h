// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"

#include <QColor>
#include <QPointF>

#include <functional>
#include <vector>

namespace shardlens::ui {

/// The end of an epoch and the beginning of the next take so long: the strip empties from left to right.
inline constexpr int kTurnMs = 400;

/// Where a sample of the new epoch goes: from its place in the dataset to its place in the epoch's order.
struct TurnLine {
  QPointF from;
  QPointF to;
  double drawn = 0;  ///< how much of it, from its beginning
  QColor colour;     ///< of its place in the dataset
};

/// The new order as it is seen once, while the strip empties.
struct EpochTurn {
  std::vector<TurnLine> lines;
  double opacity = 0;
  [[nodiscard]] bool isEmpty() const { return lines.empty(); }
};

/// Where lines begin and end, in the coordinates of whoever paints them.
struct TurnPlaces {
  std::function<double(SampleIndex)> tick;  ///< the pixel of a sample in the strip
  double top = 0;                           ///< below the strip
  double bottom = 0;                        ///< above the cells
  double left = 0;                          ///< of the strip; the order is as long
  double width = 0;
};

/// The order of the new epoch at a moment of the turn: 0, all of the strip is still full, to 1, it is empty. Some
/// dozens of samples stand for all, evenly over the order. A pure function of its arguments.
EpochTurn turnAt(const StageInput& next, const Theme& theme, double progress, const TurnPlaces& places);

}  // namespace shardlens::ui
