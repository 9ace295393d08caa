// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/motion.h"
#include "ui/scene/stage/scene.h"

#include <QColor>
#include <QPointF>
#include <QRect>
#include <QRectF>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace shardlens::ui {

/// A sample on its way from the dataset strip to the batch that takes it.
struct Flight {
  StageChip chip;
  QColor rank;  ///< the colour of the rank that takes it
  QRectF from;  ///< its place in the strip
  QRectF to;    ///< its place in the batch
  QRectF at;
  std::vector<QPointF> trail;  ///< from the strip to where it is; empty until it has left
  bool is_dot = false;         ///< too many for numbers
};

/// A batch that is being dealt, or has just come.
struct Landing {
  QRectF cell;
  QColor rank;
  double glow = 0;  ///< 1 when it has just come, fading to 0; negative while its samples fly
};

/// What moves over strip and Stage at one moment.
struct DealFrame {
  std::vector<Flight> flights;
  std::vector<Landing> landings;
  [[nodiscard]] bool isEmpty() const { return flights.empty() && landings.empty(); }
};

/// Ranks of which a part may be in view: no other is asked for.
struct RanksInView {
  qint64 first = 0;
  qint64 last = std::numeric_limits<qint64>::max();
  /// Those of the ranks [from, to).
  [[nodiscard]] RanksInView among(qint64 from, qint64 to) const { return {std::max(first, from), std::min(last, to)}; }
};

/// Where things are on the screen, in the coordinates of whoever paints the deal; empty when out of view.
struct FlightPlaces {
  std::function<QRectF(SampleIndex)> sample;
  std::function<QRectF(CellAddress)> cell;
  CellRoom room;  ///< of a cell, as the Stage asks it before it paints what is in the cell
  RanksInView ranks = {};
};

/// Whether samples fly one by one: few enough of them, and slow enough to be followed by eye.
bool flightsMakeSense(const StageInput& input, double speed);

/// What moves when the playhead stands at `position`: a pure function of it. `speed` in steps per second.
DealFrame dealAt(const StageInput& input, const EpochFacts* facts, StageColour mode, const Theme& theme,
                 double position, double speed, const FlightPlaces& places);

/// What one rank takes in a step, where motion is reduced: its samples are marked at their places in the strip and its
/// batch on the Stage, and nothing moves between them.
struct DealMark {
  QColor rank;  ///< the colour of the rank
  QRectF cell;
  std::vector<QRectF> sources;  ///< where its samples lie in the strip; some of them where they are many
  bool has_come = false;        ///< the batch is dealt; else it is about to be
  bool operator==(const DealMark&) const = default;
};

/// The marks of a step, one for each rank whose batch is in view. Looks up about a thousand samples.
std::vector<DealMark> dealMarks(const StageInput& input, const Theme& theme, qint64 step, bool has_come,
                                const FlightPlaces& places);

}  // namespace shardlens::ui
