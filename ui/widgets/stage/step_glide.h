// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>

namespace shardlens::ui {

/// Finishes what the eye follows when the playhead does not: one step forward is dealt in 300 ms, and a pause in the
/// middle of a flight lets it land within 120 ms, or go back when it has hardly begun.
class StepGlide : public QVariantAnimation {
  Q_OBJECT

 public:
  using QVariantAnimation::QVariantAnimation;

  static constexpr int kStepMs = 300;
  static constexpr double kStepsPerSecond = 1000.0 / kStepMs;

  /// The playhead has gone from one place to another; nothing of both is to be glided where they are further apart
  /// than a step. While it glides, currentValue() is where the deal is shown.
  void follow(double from, double to);
  /// Where a playhead that is paused at `position` comes to rest: where the flight has landed or not begun.
  static double settled(double position);
  /// Shows the way from `position` to there.
  void settle(double position);

 private:
  void glide(double from, double to, int milliseconds);
};

}  // namespace shardlens::ui
