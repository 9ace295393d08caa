// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/step_glide.h"

#include "ui/scene/stage/flight.h"

#include <cmath>

namespace shardlens::ui {

void StepGlide::follow(double from, double to) {
  stop();
  if (to - from == 1 && std::floor(to) == to) glide(from, to, kStepMs);
}

double StepGlide::settled(double position) {
  const double whole = std::floor(position);
  const double fraction = position - whole;
  if (fraction <= 0 || fraction >= kLandsAt) return position;
  return fraction < kLiftsUntil ? whole : whole + kLandsAt;
}

void StepGlide::settle(double position) {
  constexpr int kSettleMs = 120;
  glide(position, settled(position), kSettleMs);
}

void StepGlide::glide(double from, double to, int milliseconds) {
  setStartValue(from);
  setEndValue(to);
  setDuration(milliseconds);
  start();
}

}  // namespace shardlens::ui

#include "moc_step_glide.cpp"
