// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/ribbon.h"

#include "ui/scene/palette.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr qint64 kMostLanes = 64;
constexpr qint64 kMostHairs = 192;
constexpr qint64 kMostHairsOfOne = 24;
constexpr double kWidest = 5;
constexpr double kThinnest = 2;
constexpr double kLane = 17;
constexpr double kTurn = 10;
constexpr double kFadeSeconds = 0.2;
constexpr double kStanding = 0.35;  ///< opacity of ribbons at a speed at which nothing is seen to move
constexpr double kFastestStanding = 60;

qint64 lanesOf(const StageInput& input) {
  return (input.ranks() + ranksOfRibbon(input) - 1) / ranksOfRibbon(input);
}

/// When the ribbon of a lane starts and lands, in parts of the step: each a little after the one above, all within the
/// flight.
struct Span {
  double from = 0;
  double to = 0;
};
Span spanOf(qint64 lane, qint64 lanes) {
  constexpr double kApart = 0.04;
  constexpr double kShortest = 0.2;
  const double flight = kLandsAt - kLiftsUntil;
  const double apart = lanes > 1 ? std::min(kApart, (flight - kShortest) / static_cast<double>(lanes - 1)) : 0;
  const double from = kLiftsUntil + apart * static_cast<double>(lane);
  return {from, from + flight - apart * static_cast<double>(lanes - 1)};
}

/// Down the lane, round the corner, to the right edge of the cell.
std::vector<QPointF> wayTo(const QRectF& cell, double lane, double knots) {
  const double y = cell.center().y();
  const double turn = std::clamp(std::min(kTurn, (lane - cell.right()) / 2), 0.0, std::max(0.0, y - knots));
  std::vector<QPointF> way = {{lane, knots}, {lane, y - turn}};
  constexpr int kCorner = 6;
  for (int i = 1; i <= kCorner; ++i) {
    const double angle = M_PI / 2 * i / kCorner;
    way.emplace_back(lane - turn + turn * std::cos(angle), y - turn + turn * std::sin(angle));
  }
  way.emplace_back(cell.right(), y);
  return way;
}

std::vector<QPointF> firstPart(const std::vector<QPointF>& way, double share) {
  double whole = 0;
  for (std::size_t i = 1; i < way.size(); ++i) whole += QLineF(way[i - 1], way[i]).length();
  double left = whole * share;
  std::vector<QPointF> part = {way.front()};
  for (std::size_t i = 1; i < way.size() && left > 0; ++i) {
    const QLineF line(way[i - 1], way[i]);
    if (line.length() > 0) part.push_back(line.pointAt(std::min(1.0, left / line.length())));
    left -= line.length();
  }
  return part;
}

/// Gives a ribbon its whole way, in a lane of its own right of its cell; false where there is no room for lanes.
bool lead(Ribbon& ribbon, qint64 lane, qint64 lanes, const RibbonPlaces& places) {
  const double room = places.right - ribbon.cell.right();
  const double pitch = std::min(kLane, room / static_cast<double>(lanes + 1));
  if (pitch < 1) return false;
  const double x = ribbon.cell.right() + pitch * static_cast<double>(lane + 1);
  ribbon.knot = {x, places.knots};
  ribbon.path = wayTo(ribbon.cell, x, places.knots);
  return true;
}

/// Cuts a ribbon to how far it has come at this part of the step; false when it has gone.
bool move(Ribbon& ribbon, const Span& span, double fraction, double speed) {
  const double since = (fraction - span.to) / speed;
  if (since > kFadeSeconds) return false;
  ribbon.path = firstPart(ribbon.path, easeInOut((fraction - span.from) / (span.to - span.from)));
  ribbon.hairs = std::clamp((fraction - span.from + kLiftsUntil) / 0.15, 0.0, 1.0);
  if (since < 0) return true;
  ribbon.opacity = 1 - 0.84 * since / kFadeSeconds;
  ribbon.glow = std::max(0.0, 1 - since / kGlowSeconds);
  return true;
}

/// Computes the ribbons of one step.
class Weaver {
 public:
  Weaver(const StageInput& input, const Theme& theme, const RibbonPlaces& places, qint64 step, bool has_hairs)
      : input_(input), theme_(theme), places_(places), step_(step), has_hairs_(has_hairs) {}

  std::optional<Ribbon> lane(qint64 lane) {
    Ribbon ribbon;
    const qint64 first = lane * ranksOfRibbon(input_);
    const qint64 last = std::min(first + ranksOfRibbon(input_), input_.ranks());
    const RanksInView seen = places_.ranks.among(first, last);
    for (qint64 rank = seen.first; rank < seen.last; ++rank) {
      if (comes(rank)) ribbon.cell = ribbon.cell.united(places_.cell({rank, step_}));
    }
    if (ribbon.cell.isEmpty()) return std::nullopt;
    for (qint64 rank = first; has_hairs_ && rank < last; ++rank) {
      if (comes(rank)) addTicks(input_.epoch->ranks[rank], lane, last - first, ribbon);
    }
    const qint64 samples = input_.samplesOf(step_, first, last);
    ribbon.colour = rankColor(theme_, first, input_.world);
    const auto full = static_cast<double>(input_.epoch->ranks[first].batch(Step{0}).size() * (last - first));
    ribbon.width = std::max(kThinnest, kWidest * std::min(1.0, static_cast<double>(samples) / std::max(full, 1.0)));
    return ribbon;
  }

 private:
  [[nodiscard]] bool comes(qint64 rank) const { return step_ < input_.epoch->ranks[rank].batches(); }

  void addTicks(const RankEpoch& rank, qint64 lane, qint64 ranks, Ribbon& ribbon) {
    const RankEpoch::Range range = rank.batch(Step{step_});
    const qint64 of_lane = std::min(kMostHairs / lanesOf(input_), kMostHairsOfOne);
    const qint64 looks = std::min<qint64>(range.size(), std::max<qint64>(1, of_lane / ranks));
    for (qint64 i = 0; i < looks; ++i) {
      const SampleIndex sample = rank.sample(itemLookedAt(range, i, looks));
      const double node = static_cast<double>(std::min<qint64>(input_.world.nodeOf(Rank{lane * ranks}), 2));
      ribbon.ticks.emplace_back(places_.tick(sample), places_.ticks_top + 3 * node);
    }
  }

  const StageInput& input_;
  const Theme& theme_;
  const RibbonPlaces& places_;
  qint64 step_;
  bool has_hairs_;
};

}  // namespace

qint64 ranksOfRibbon(const StageInput& input) {
  if (input.ranks() <= kMostLanes) return 1;
  const qint64 of_node = input.world.ranks_per_node.ofEveryNode().value_or(1);
  const qint64 nodes = (input.ranks() + of_node - 1) / of_node;
  return of_node * ((nodes + kMostLanes - 1) / kMostLanes);
}

bool ribbonsMakeSense(const StageInput& input, double speed) {
  return !input.isEmpty() && input.steps > 0 && speed <= kFastestFlight && !flightsMakeSense(input, speed);
}

bool ribbonsStand(const StageInput& input, double speed) {
  return !input.isEmpty() && input.steps > 0 && speed > kFastestFlight && speed <= kFastestStanding;
}

qint64 ranksLanded(const StageInput& input, double position, double speed) {
  const double fraction = position - std::floor(position);
  if (fraction >= kLandsAt || !ribbonsMakeSense(input, speed)) return 0;
  const qint64 lanes = lanesOf(input);
  qint64 landed = 0;
  while (landed < lanes && spanOf(landed, lanes).to <= fraction) ++landed;
  return std::min(landed * ranksOfRibbon(input), input.ranks());
}

qint64 samplesInFlight(const StageInput& input, double position, double speed) {
  const auto step = static_cast<qint64>(std::floor(position));
  const double fraction = position - std::floor(position);
  const bool flies = flightsMakeSense(input, speed) || ribbonsMakeSense(input, speed);
  if (!flies || step < 0 || step >= input.steps || fraction <= 0 || fraction >= kLandsAt) return 0;
  return input.samplesOf(step, ranksLanded(input, position, speed), input.ranks());
}

std::vector<Ribbon> ribbonsAt(const StageInput& input, const Theme& theme, double position, double speed,
                              const RibbonPlaces& places) {
  std::vector<Ribbon> ribbons;
  const auto step = static_cast<qint64>(std::floor(position));
  const double fraction = position - std::floor(position);
  const bool stand = ribbonsStand(input, speed);
  if (step >= input.steps || (!stand && (fraction <= 0 || !ribbonsMakeSense(input, speed)))) return ribbons;
  Weaver weaver(input, theme, places, step, !stand);
  const qint64 lanes = lanesOf(input);
  for (qint64 lane = 0; lane < lanes; ++lane) {
    auto ribbon = weaver.lane(lane);
    if (!ribbon || !lead(*ribbon, lane, lanes, places)) continue;
    if (stand) {
      ribbon->opacity = kStanding;
      ribbon->glow = std::max(0.0, 1 - fraction);
    } else if (!move(*ribbon, spanOf(lane, lanes), fraction, speed)) {
      continue;
    }
    ribbons.push_back(*std::move(ribbon));
  }
  return ribbons;
}

}  // namespace shardlens::ui
