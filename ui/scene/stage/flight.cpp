// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/flight.h"

#include "ui/scene/theme.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace shardlens::ui {
namespace {

constexpr qint64 kMostChips = 64;
constexpr qint64 kMostDots = 1024;
constexpr double kChipFrom = 14;  // pixels of a place in the strip
constexpr double kDot = 5;
constexpr double kLift = 6;
constexpr int kTrailPoints = 20;

double easeOut(double t) {
  return 1 - std::pow(1 - t, 3);
}

/// The way from a place of the strip to a place in a batch.
struct Curve {
  QPointF from;
  QPointF to;

  [[nodiscard]] QPointF at(double t) const {
    constexpr double kBelow = 70;
    constexpr double kAbove = 90;
    const QPointF leaving = from + QPointF(0, kBelow);
    const QPointF coming = to - QPointF(0, kAbove);
    const double s = 1 - t;
    return s * s * s * from + 3 * s * s * t * leaving + 3 * s * t * t * coming + t * t * t * to;
  }
};

qint64 samplesInView(const StageInput& input, qint64 step, const FlightPlaces& places) {
  const RanksInView seen = places.ranks.among(0, input.ranks());
  qint64 samples = 0;
  for (qint64 rank = seen.first; rank < seen.last; ++rank) {
    if (!places.cell({rank, step}).isEmpty()) samples += input.samplesOf(step, rank, rank + 1);
  }
  return samples;
}

/// How far a flight is, 0..1, and how far it has lifted: later samples of a batch start a little later.
struct Progress {
  double lift = 0;
  double way = 0;
};
Progress progressOf(double fraction, qint64 index) {
  constexpr double kApart = 0.04;
  constexpr double kLastStart = 0.35;
  const double start = std::min(kLiftsUntil + kApart * static_cast<double>(index), kLastStart);
  return {easeOut(std::clamp(fraction / kLiftsUntil, 0.0, 1.0)), easeInOut((fraction - start) / (kLandsAt - start))};
}

/// Computes the deal of one step.
class Dealer {
 public:
  Dealer(const StageInput& input, const EpochFacts* facts, StageColour mode, const Theme& theme,
         const FlightPlaces& places, double fraction, bool all_dots)
      : input_(input),
        colours_(input, facts, mode, theme, 1),
        theme_(theme),
        places_(places),
        fraction_(fraction),
        all_dots_(all_dots) {}

  void addBatch(const RankEpoch& rank, qint64 step, double seconds_since_landing, DealFrame& deal) {
    const QRectF cell = places_.cell({rank.rank().value, step});
    if (cell.isEmpty()) return;
    const QColor colour = rankColor(theme_, rank.rank().value, input_.world);
    if (fraction_ >= kLandsAt) {
      const double glow = 1 - seconds_since_landing / kGlowSeconds;
      if (glow > 0) deal.landings.push_back({cell, colour, glow});
      return;
    }
    deal.landings.push_back({cell, colour, -1});
    const RankEpoch::Range range = rank.batch(Step{step});
    const qint64 full = rank.batch(Step{0}).size();
    const bool has_chips = places_.room.chips(full, input_.dataset_size - 1);
    const std::vector<QRectF> slots_of = chipPlaces(cell, std::max<qint64>(full, range.size()));
    for (qint64 k = range.first; k < range.last; ++k) {
      deal.flights.push_back(flight(rank, step, k, slots_of[k - range.first], has_chips, colour));
    }
  }

 private:
  Flight flight(const RankEpoch& rank, qint64 step, qint64 item, const QRectF& slot, bool has_chips,
                const QColor& colour) {
    Flight out;
    out.chip = colours_.chip(rank, step, item);
    out.rank = colour;
    out.from = places_.sample(out.chip.sample);
    out.to = slot;
    out.is_dot = all_dots_ || !has_chips || out.from.width() < kChipFrom;
    const Progress progress = progressOf(fraction_, item - rank.batch(Step{step}).first);
    // A dot would be lost among the words in the strip: it comes from the strip's foot.
    const QPointF start(out.from.center().x(), out.is_dot ? out.from.bottom() : out.from.center().y());
    const Curve curve{start - QPointF(0, kLift * progress.lift), out.to.center()};
    const QPointF centre = curve.at(progress.way);
    const QSizeF size = out.is_dot ? QSizeF(kDot, kDot) : out.to.size();
    out.at = QRectF(centre.x() - size.width() / 2, centre.y() - size.height() / 2, size.width(), size.height());
    if (progress.way <= 0 || all_dots_) return out;
    for (int i = 0; i <= kTrailPoints; ++i) out.trail.push_back(curve.at(progress.way * i / kTrailPoints));
    return out;
  }

  const StageInput& input_;
  CellColours colours_;
  const Theme& theme_;
  const FlightPlaces& places_;
  double fraction_;
  bool all_dots_;
};

constexpr qint64 kMostLines = 96;  ///< as many as are drawn in some 2 ms
/// A line begins where the strip has just emptied and is whole after this part of the turn.
constexpr double kDrawn = 0.3;
constexpr double kFadesFrom = 0.75;

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

constexpr qint64 kMostSources = 1024;  ///< of all ranks together

}  // namespace

bool flightsMakeSense(const StageInput& input, double speed) {
  return !input.isEmpty() && input.steps > 0 && speed <= kFastestFlight && input.dataset_size <= kMostDots &&
         input.ranks() <= kMostDots && input.samplesOf(0, 0, input.ranks()) <= kMostDots;
}

DealFrame dealAt(const StageInput& input, const EpochFacts* facts, StageColour mode, const Theme& theme,
                 double position, double speed, const FlightPlaces& places) {
  DealFrame deal;
  const auto step = static_cast<qint64>(std::floor(position));
  const double fraction = position - std::floor(position);
  if (fraction <= 0 || !flightsMakeSense(input, speed) || step >= input.steps) return deal;
  const bool all_dots = samplesInView(input, step, places) > kMostChips;
  Dealer dealer(input, facts, mode, theme, places, fraction, all_dots);
  const double since = (fraction - kLandsAt) / speed;
  const RanksInView seen = places.ranks.among(0, input.ranks());
  for (qint64 at = seen.first; at < seen.last; ++at) {
    const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(at)];
    if (step < rank.batches()) dealer.addBatch(rank, step, since, deal);
  }
  return deal;
}

std::vector<DealMark> dealMarks(const StageInput& input, const Theme& theme, qint64 step, bool has_come,
                                const FlightPlaces& places) {
  std::vector<DealMark> marks;
  if (input.isEmpty() || step < 0 || step >= input.steps) return marks;
  std::vector<qint64> ranks;
  const RanksInView seen = places.ranks.among(0, input.ranks());
  for (qint64 rank = seen.first; rank < seen.last; ++rank) {
    if (step >= input.epoch->ranks[static_cast<std::size_t>(rank)].batches()) continue;
    const QRectF cell = places.cell({rank, step});
    if (cell.isEmpty()) continue;
    ranks.push_back(rank);
    marks.push_back({rankColor(theme, ranks.back(), input.world), cell, {}, has_come});
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const RankEpoch& rank = input.epoch->ranks[static_cast<std::size_t>(ranks[i])];
    const RankEpoch::Range range = rank.batch(Step{step});
    const qint64 of_rank = std::max<qint64>(1, kMostSources / static_cast<qint64>(marks.size()));
    const qint64 looks = std::min<qint64>(range.size(), of_rank);
    for (qint64 look = 0; look < looks; ++look) {
      marks[i].sources.push_back(places.sample(rank.sample(itemLookedAt(range, look, looks))));
    }
  }
  return marks;
}

EpochTurn turnAt(const StageInput& next, const Theme& theme, double progress, const TurnPlaces& places) {
  EpochTurn turn;
  if (next.isEmpty() || next.ranks() == 0 || progress <= 0 || progress >= 1 || places.width <= 0) return turn;
  const qint64 count = std::min(next.outline->handed_out, kMostLines);
  turn.opacity = progress < kFadesFrom ? 1 : (1 - progress) / (1 - kFadesFrom);
  turn.lines.reserve(static_cast<std::size_t>(count));
  for (qint64 i = 0; i < count; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const RankEpoch& rank = next.epoch->ranks[static_cast<std::size_t>(i % next.ranks())];
    const auto item = static_cast<qint64>(share * static_cast<double>(rank.handedOut()));
    if (item >= rank.handedOut()) continue;
    const SampleIndex sample = rank.sample(item);
    const double from = places.tick(sample);
    const double begun = progress * (1 + kDrawn) - (from - places.left) / places.width;
    if (begun <= 0) continue;
    turn.lines.push_back({{from, places.top},
                          {places.left + share * places.width, places.bottom},
                          easeInOut(begun / kDrawn),
                          positionColor(theme, next.placeOf(sample))});
  }
  return turn;
}

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
