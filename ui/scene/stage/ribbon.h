// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"

#include <QColor>
#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace shardlens::ui {

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
