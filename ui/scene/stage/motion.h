// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <cmath>

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

}  // namespace shardlens::ui
