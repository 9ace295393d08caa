// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/epoch_turn.h"

#include "ui/scene/palette.h"
#include "ui/scene/stage/motion.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr qint64 kMostLines = 96;  ///< as many as are drawn in some 2 ms
/// A line begins where the strip has just emptied and is whole after this part of the turn.
constexpr double kDrawn = 0.3;
constexpr double kFadesFrom = 0.75;

}  // namespace

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

}  // namespace shardlens::ui
