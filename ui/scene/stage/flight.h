// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/layout.h"
#include "ui/scene/stage/scene.h"

#include <QColor>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// A step as the eye follows it, in parts of the step: its samples lift off their places, fly, and are the batch from
/// kLandsAt on.
inline constexpr double kLiftsUntil = 0.1;
inline constexpr double kLandsAt = 0.6;
/// Faster than this, in steps per second, nothing is followed by eye.
inline constexpr double kFastestFlight = 12;
/// For so long a batch glows that has just come.
inline constexpr double kGlowSeconds = 0.16;

/// Steps whose batches are there when the playhead stands at `position`: the one under way counts once it has landed.
inline qint64 stepsLanded(double position) {
  return static_cast<qint64>(std::floor(position + 1 - kLandsAt));
}

/// The same moment where motion is reduced: a step has not begun, or has landed.
inline double withoutMotion(double position) {
  const double whole = std::floor(position);
  return position - whole >= kLandsAt ? whole + kLandsAt : whole;
}

/// A way from 0 to 1 that starts and ends slowly; `t` beyond it stays at its ends.
inline double easeInOut(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t < 0.5 ? 4 * t * t * t : 1 - std::pow(-2 * t + 2, 3) / 2;
}

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

/// What one rank takes in a step, too much for single samples: hairs from where they lie in the dataset gather in a
/// knot, and a ribbon runs from there to the batch. Above 64 ranks a ribbon stands for a node, or for several.
struct Ribbon {
  QColor colour;
  double width = 0;
  std::vector<QPointF> ticks;  ///< under the strip, where its samples lie
  QPointF knot;
  std::vector<QPointF> path;  ///< from the knot to the batch, as far as it has come
  QRectF cell;
  double hairs = 0;    ///< how far the hairs have come, 0..1
  double opacity = 1;  ///< fading once it has landed
  double glow = 0;     ///< of the cell it has landed in, 1 fading to 0
};

/// Where ribbons run, in the coordinates of whoever paints them.
struct RibbonPlaces {
  std::function<double(SampleIndex)> tick;  ///< the pixel of a sample in the strip
  double ticks_top = 0;                     ///< below the strip
  double knots = 0;                         ///< the height at which hairs gather
  std::function<QRectF(CellAddress)> cell;
  double right = 0;  ///< the last pixel that lanes may use
  RanksInView ranks = {};
};

/// How many ranks share a ribbon: one, or those of a node, or of several nodes.
qint64 ranksOfRibbon(const StageInput& input);

/// Whether ribbons are drawn: too much for single samples, and slow enough to be followed by eye.
bool ribbonsMakeSense(const StageInput& input, double speed);

/// Whether ribbons stand, faint and whole, while cells light up: too fast to be followed, slow enough to be told apart.
bool ribbonsStand(const StageInput& input, double speed);

/// How many ranks, from rank 0 on, have their batch of the step that has not landed as a whole yet: with ribbons they
/// come one after another, without them together.
qint64 ranksLanded(const StageInput& input, double position, double speed);

/// How many samples of the step under way have left their places and not come to their batch yet; 0 where nothing is
/// seen to fly.
qint64 samplesInFlight(const StageInput& input, double position, double speed);

/// The ribbons when the playhead stands at `position`: a pure function of it. Looks up a few hundred samples.
std::vector<Ribbon> ribbonsAt(const StageInput& input, const Theme& theme, double position, double speed,
                              const RibbonPlaces& places);

}  // namespace shardlens::ui
