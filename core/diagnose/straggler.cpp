// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/straggler.h"

#include "core/diagnose/statistics.h"

#include <algorithm>
#include <span>

namespace shardlens {
namespace {

constexpr std::size_t kFewest = 6;

std::size_t lastOf(const ArrivalRow& row) {
  return static_cast<std::size_t>(std::max_element(row.late_ms.begin(), row.late_ms.end()) - row.late_ms.begin());
}

std::vector<std::int64_t> timesLast(const std::deque<ArrivalRow>& rows, std::size_t world_size) {
  std::vector<std::int64_t> times(world_size);
  for (const ArrivalRow& row : rows) ++times[lastOf(row)];
  return times;
}

bool lastAllThrough(const std::deque<ArrivalRow>& rows, std::size_t rank) {
  for (std::size_t third = 0; third < 3; ++third) {
    const std::size_t begin = rows.size() * third / 3;
    const std::size_t end = rows.size() * (third + 1) / 3;
    std::size_t last = 0;
    for (std::size_t i = begin; i < end; ++i) last += lastOf(rows[i]) == rank ? 1 : 0;
    if (last * 2 < end - begin) return false;
  }
  return true;
}

std::vector<double> othersIn(const ArrivalRow& row, std::size_t rank) {
  std::vector<double> others;
  others.reserve(row.late_ms.size());
  for (std::size_t i = 0; i < row.late_ms.size(); ++i) {
    if (i != rank) others.push_back(row.late_ms[i]);
  }
  return others;
}

double stepTime(const std::deque<ArrivalRow>& rows) {
  std::vector<double> intervals;
  for (const ArrivalRow& row : rows) {
    if (row.interval_ms > 0) intervals.push_back(row.interval_ms);
  }
  return median(std::move(intervals));
}

}  // namespace

std::optional<Straggler> findStraggler(const std::deque<ArrivalRow>& rows) {
  if (rows.size() < kFewest || rows.front().late_ms.size() < 2) return std::nullopt;
  const std::size_t world_size = rows.front().late_ms.size();
  const auto times = timesLast(rows, world_size);
  const auto rank = static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
  const double share = static_cast<double>(times[rank]) / static_cast<double>(rows.size());
  if (share < (world_size == 2 ? 0.75 : 0.6) || !lastAllThrough(rows, rank)) return std::nullopt;

  std::vector<double> behind;
  std::vector<double> noise;
  for (const ArrivalRow& row : rows) {
    const auto others = othersIn(row, rank);
    behind.push_back(row.late_ms[rank] - median(others));
    noise.push_back(robustSpread(others));
  }
  const double step_ms = stepTime(rows);
  const double typical = median(std::move(behind));
  if (typical <= std::max({0.5, 0.05 * step_ms, 3 * median(std::move(noise))})) return std::nullopt;
  const double cost = step_ms > 0 ? std::min(1.0, typical / step_ms) : 0;
  return Straggler{
      static_cast<std::int64_t>(rank), static_cast<std::int64_t>(rows.size()), times[rank], typical, cost, SL_WORLD};
}

std::optional<Straggler> worstStraggler(const std::map<std::uint32_t, GroupArrivals>& groups) {
  std::optional<Straggler> worst;
  for (const auto& [group, arrivals] : groups) {
    auto found = findStraggler(arrivals.rows);
    if (!found || (worst && found->cost <= worst->cost)) continue;
    found->rank = (*arrivals.members)[static_cast<std::size_t>(found->rank)];
    found->group = group;
    worst = found;
  }
  return worst;
}

std::vector<Arrival> arrivalsOf(const std::map<std::uint32_t, GroupArrivals>& groups, std::int64_t world_size) {
  std::vector<Arrival> arrivals(static_cast<std::size_t>(world_size));
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) arrivals[rank].rank = static_cast<std::int64_t>(rank);
  for (const auto& [group, of_group] : groups) {
    for (const std::int64_t rank : *of_group.members)
      arrivals[static_cast<std::size_t>(rank)].collectives += static_cast<std::int64_t>(of_group.rows.size());
  }
  // Rows by collective become one run of values for each rank; row by row, since that is how they lie in memory.
  std::vector<std::size_t> end(arrivals.size());
  std::size_t cells = 0;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    end[rank] = cells;
    cells += static_cast<std::size_t>(arrivals[rank].collectives);
  }
  std::vector<float> late(cells);
  for (const auto& [group, of_group] : groups) {
    for (const ArrivalRow& row : of_group.rows) {
      ++arrivals[static_cast<std::size_t>((*of_group.members)[lastOf(row)])].last_in;
      for (std::size_t i = 0; i < row.late_ms.size(); ++i)
        late[end[static_cast<std::size_t>((*of_group.members)[i])]++] = row.late_ms[i];
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
