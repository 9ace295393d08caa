// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/scene.h"

#include <QColor>
#include <QPointF>
#include <QRect>

#include <functional>
#include <vector>

namespace shardlens::ui {

/// A sample on its way from the dataset strip to the batch that takes it.
struct Flight {
  SampleIndex sample = 0;
  QPointF at;
  QColor colour;
  double size = 0;  ///< pixels of its side
};

/// Where things are on the screen, in the coordinates of whoever paints the flights; empty when out of view.
struct FlightPlaces {
  std::function<QRect(SampleIndex)> sample;
  std::function<QRect(CellAddress)> cell;
};

/// Whether samples fly at all: few enough ranks and samples, and slow enough to be followed by eye.
bool flightsMakeSense(const StageInput& input, double speed);

/// How far the samples of the step under the playhead are, 0..1, eased; negative when none flies. A flight takes
/// 180 ms, and never longer than its step.
double flightProgress(double position, double speed);

/// The samples in the air. A pure function of the playhead.
std::vector<Flight> flights(const StageInput& input, double position, double speed, const FlightPlaces& places);

}  // namespace shardlens::ui
