// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/flight.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kFlightSeconds = 0.18;
constexpr double kFastest = 16;
constexpr qint64 kMostRanks = 16;
constexpr qint64 kMostSamples = 1024;
constexpr qint64 kMostInTheAir = 128;

/// From the middle of the sample's place to its slot in the cell, shrinking or growing on the way.
Flight flight(SampleIndex sample, const QRect& from, const QRect& to, double slot, double progress,
              const QColor& colour) {
  const QPointF start = QRectF(from).center();
  const QPointF end(to.left() + slot * to.width(), QRectF(to).center().y());
  const double from_size = std::clamp(from.width() - 2.0, 5.0, 20.0);
  const double to_size = std::clamp(std::min(to.width(), to.height()) / 3.0, 4.0, 20.0);
  return {sample, start + (end - start) * progress, colour, from_size + (to_size - from_size) * progress};
}

}  // namespace

bool flightsMakeSense(const StageInput& input, double speed) {
  if (input.isEmpty() || input.steps == 0 || speed > kFastest) return false;
  if (input.ranks() > kMostRanks || input.dataset_size > kMostSamples) return false;
  return input.ranks() * input.epoch->ranks.front().batch(Step{0}).size() <= kMostInTheAir;
}

double flightProgress(double position, double speed) {
  const double fraction = position - std::floor(position);
  const double length = std::min(1.0, kFlightSeconds * speed);
  if (fraction <= 0 || fraction >= length) return -1;
  const double left = 1 - fraction / length;
  return 1 - left * left * left;
}

std::vector<Flight> flights(const StageInput& input, double position, double speed, const FlightPlaces& places) {
  std::vector<Flight> out;
  const double progress = flightProgress(position, speed);
  if (progress < 0 || !flightsMakeSense(input, speed)) return out;
  const auto step = static_cast<qint64>(position);
  for (const RankEpoch& rank : input.epoch->ranks) {
    if (step >= rank.batches()) continue;
    QRect cell = places.cell({rank.rank().value, step});
    if (cell.isEmpty()) continue;
    const QColor colour = rankColor(rank.rank().value, input.nodes, input.ranks_per_node);
    const RankEpoch::Range range = rank.batch(Step{step});
    // A short batch fills only the beginning of its cell.
    cell.setWidth(static_cast<int>(cell.width() * range.size() / rank.batch(Step{0}).size()));
    for (qint64 k = range.first; k < range.last; ++k) {
      const double slot = (static_cast<double>(k - range.first) + 0.5) / static_cast<double>(range.size());
      const SampleIndex sample = rank.sample(k);
      out.push_back(flight(sample, places.sample(sample), cell, slot, progress, colour));
    }
  }
  return out;
}

}  // namespace shardlens::ui
