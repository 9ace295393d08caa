// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/flight.h"

#include <QColor>
#include <QRectF>

#include <vector>

namespace shardlens::ui {

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
