// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/time_window.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace shardlens::ui {

/// The whole run on few pixels: the longest step of each column.
struct Minimap {
  static constexpr int kColumn = 2;  ///< px

  struct Column {
    float compute = 0;  ///< share of the height
    float all = 0;      ///< compute and what is above it; cut off at 1
    int step = -1;      ///< place in Overview::steps of the longest one; -1: no step
    bool stalled = false;
  };
  struct EpochMark {
    double x = 0;
    qint64 epoch = 0;
  };
  std::vector<Column> columns;
  std::vector<EpochMark> epochs;  ///< those that are far enough from each other to be told apart
  std::int64_t top_ns = 0;        ///< what the full height stands for; 0: no step was measured
};

/// `end_ns` is at the right edge.
Minimap minimapOf(const Overview& overview, std::int64_t end_ns, const std::vector<Stall>& stalls, int width);

/// The frame around the visible part, in pixels of the minimap; wide enough to be taken hold of.
struct MinimapFrame {
  static constexpr double kLeast = 10;  ///< px
  double left = 0;
  double right = 0;
};
MinimapFrame minimapFrame(const TimeWindow& window, double width);

/// What of the frame a pointer takes hold of.
enum class MinimapGrip { None, Left, Right, Body };
MinimapGrip gripAt(const MinimapFrame& frame, double x);
/// The window after the frame was taken by that grip and moved by so many pixels.
TimeWindow dragged(const TimeWindow& before, MinimapGrip grip, double pixels, double width);

}  // namespace shardlens::ui
