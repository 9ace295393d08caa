// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"
#include "ui/scene/run/time_window.h"

#include <QString>

#include <functional>
#include <vector>

namespace shardlens::ui {

/// A moment on the axis: 1, 2 or 5 of a unit apart, seconds and minutes in the usual fractions of an hour.
struct TimeTick {
  double x = 0;  ///< pixels from the window's left edge
  QString text;  ///< "4.2 s", "14:20.7", "1:02:03"
};

/// The ticks of a window that is so wide, at least `spacing` pixels apart.
std::vector<TimeTick> timeTicks(const TimeWindow& window, double width, double spacing);
/// A moment of a run, told as finely as `step_ns` needs; in seconds when all of the run is shorter than a minute.
QString momentText(std::int64_t ns, std::int64_t step_ns, bool in_seconds);

/// Where a step begins on the axis.
struct StepMark {
  double x = 0;
  double until = 0;  ///< where the next marked one begins, or the window ends
  std::int32_t epoch = 0;
  std::int32_t step = 0;
  QString text;         ///< "step 122"; "epoch 1" where an epoch begins; empty when there is no room for it
  bool is_one = false;  ///< the mark is about this step alone: its words stand in its middle
};

/// The steps of a window: those of the overview, and after it those of the last seconds' lane. Either may be null.
/// Where they are closer than their words, only each second, fifth, tenth ... has some; `width_of` measures words.
std::vector<StepMark> stepMarks(const Overview* overview, const Lane* recent, const TimeWindow& window, double width,
                                const std::function<double(const QString&)>& width_of);

}  // namespace shardlens::ui
