// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer_state.h"
#include "core/diagnose/statistics.h"

#include <span>

namespace shardlens {
namespace {

constexpr std::size_t kWindow = 200;

}  // namespace

std::vector<Arrival> arrivalsOf(const std::map<std::uint32_t, TimeLost>& groups, std::int64_t world_size) {
  std::vector<Arrival> arrivals(static_cast<std::size_t>(world_size));
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) arrivals[rank].rank = static_cast<std::int64_t>(rank);
  for (const auto& [group, lost] : groups) {
    for (const std::int64_t rank : *lost.members())
      arrivals[static_cast<std::size_t>(rank)].collectives += static_cast<std::int64_t>(lost.newest(kWindow).size());
  }
  // Rows by collective become one run of values for each rank; row by row, since that is how they lie in memory.
  std::vector<std::size_t> end(arrivals.size());
  std::size_t cells = 0;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    end[rank] = cells;
    cells += static_cast<std::size_t>(arrivals[rank].collectives);
  }
  std::vector<float> late(cells);
  for (const auto& [group, lost] : groups) {
    const RowRange newest = lost.newest(kWindow);
    const auto& members = *lost.members();
    for (std::size_t row = newest.begin; row < newest.end; ++row) {
      const auto times = lost.late(row);
      ++arrivals[static_cast<std::size_t>(members[lost.lastOf(row)])].last_in;
      for (std::size_t i = 0; i < times.size(); ++i) late[end[static_cast<std::size_t>(members[i])]++] = times[i];
    }
  }
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < arrivals.size(); begin = end[rank++]) {
    const Spread spread = spreadOf(std::span(late).subspan(begin, end[rank] - begin));
    arrivals[rank].median_ms = spread.median;
    arrivals[rank].p05_ms = spread.p05;
    arrivals[rank].p95_ms = spread.p95;
  }
  return arrivals;
}

}  // namespace shardlens
