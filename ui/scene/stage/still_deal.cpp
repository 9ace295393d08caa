// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/still_deal.h"

#include "ui/scene/palette.h"

#include <algorithm>
#include <cstddef>

namespace shardlens::ui {
namespace {

constexpr qint64 kMostSources = 1024;  ///< of all ranks together

}  // namespace

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

}  // namespace shardlens::ui
