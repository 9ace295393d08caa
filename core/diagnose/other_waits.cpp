// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/other_waits.h"

#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens {
namespace {

constexpr double kWanderingShare = 0.2;
constexpr std::int64_t kFewestWandering = 30;
constexpr double kLeastWanderingMs = 500;
constexpr double kPauseMs = 2000;
constexpr double kPauseTimesUsual = 10;
constexpr std::size_t kMostPauses = 5;

std::vector<bool> only(const TimeLost& lost, std::size_t member) {
  std::vector<bool> is_in(lost.memberCount(), false);
  is_in[member] = true;
  return is_in;
}

double perCollective(const LostRow& row, double value) {
  return value / static_cast<double>(row.collectives);
}

double usualMs(const TimeLost& lost) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < lost.size(); ++i) lengths.push_back(perCollective(lost.row(i), lost.row(i).ms()));
  return median(std::move(lengths));
}

Pause pauseAt(const TimeLost& lost, std::size_t index, double ms) {
  const LostRow& row = lost.row(index);
  const std::size_t last = lost.lastOf(index);
  const Owed owed = lost.owed({index, index + 1}, only(lost, last));
  const auto length_ns = static_cast<std::int64_t>(std::llround(ms * 1e6));
  return {(*lost.members())[last],   row.to_ns - length_ns, row.to_ns,
          owed.lost_ms / row.weight, row.last_epoch,        row.last_step};
}

}  // namespace

std::optional<Wandering> wanderingOf(const TimeLost& lost, double least_ms) {
  const double run_ms = lost.milliseconds(lost.all());
  Wandering out;
  out.collectives = lost.collectives(lost.all());
  if (out.collectives < kFewestWandering || run_ms < kLeastWanderingMs) return std::nullopt;
  std::vector<std::int64_t> last(lost.memberCount());
  std::vector<double> alone(lost.memberCount());
  std::vector<double> spreads;
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const LostRow& row = lost.row(index);
    const std::size_t latest = lost.lastOf(index);
    const std::vector<double> times(lost.late(index).begin(), lost.late(index).end());
    const double spread = row.weight * (times[latest] - median(times));
    for (const double time : times) out.lost_ms += row.weight * (times[latest] - time);
    last[latest] += row.collectives;
    alone[latest] += lost.gainIn(index, only(lost, latest));
    out.spread_ms += spread;
    spreads.push_back(perCollective(row, spread));
  }
  out.share = std::clamp(out.spread_ms / run_ms, 0.0, 1.0);
  out.spread_ms /= static_cast<double>(out.collectives);
  if (out.share < kWanderingShare || quantile(std::move(spreads), 0.25) < least_ms) return std::nullopt;
  out.most_last =
      static_cast<double>(*std::max_element(last.begin(), last.end())) / static_cast<double>(out.collectives);
  out.from_ns = lost.row(0).from_ns;
  out.to_ns = lost.row(lost.size() - 1).to_ns;
  out.best_alone_ms = *std::max_element(alone.begin(), alone.end());
  return out;
}

std::vector<Pause> pausesOf(const TimeLost& lost) {
  const double least = std::max(kPauseMs, kPauseTimesUsual * usualMs(lost));
  std::vector<std::pair<double, std::size_t>> longest;
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const auto late = lost.late(index);
    const std::size_t last = lost.lastOf(index);
    if (double{late[last]} < least) continue;
    const double alone = lost.gainIn(index, only(lost, last)) / lost.row(index).weight;
    if (alone >= least) longest.emplace_back(alone, index);
  }
  std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (longest.size() > kMostPauses) longest.resize(kMostPauses);
  std::vector<Pause> pauses;
  for (const auto& [ms, index] : longest) pauses.push_back(pauseAt(lost, index, ms));
  std::sort(pauses.begin(), pauses.end(), [](const Pause& a, const Pause& b) { return a.from_ns < b.from_ns; });
  return pauses;
}

}  // namespace shardlens
