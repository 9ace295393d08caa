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
constexpr double kShortPauseMs = 500;
constexpr double kShortPausesShare = 0.05;  ///< of the run, that the shorter ones of a rank take together
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

// --- late now and then

constexpr double kMostOfWaiting = 0.8;
constexpr double kNowAndThen = 2.0 / 3;  ///< of the collectives; more is a slow rank, or none
constexpr std::size_t kFewestTimes = 3;
constexpr double kSameMember = 0.9;
constexpr double kLeastLateMs = 10;
constexpr double kLeastGainShare = 0.05;
constexpr double kLeastGainMs = 500;
constexpr double kMostChance = 0.002;

/// The fewest rows that hold most of the waiting, in the order of time; `all_ms` is the whole of it.
std::vector<std::size_t> rowsOfMostWaiting(const TimeLost& lost, double all_ms) {
  std::vector<std::pair<double, std::size_t>> waits;
  for (std::size_t index = 0; index < lost.size(); ++index) waits.emplace_back(lost.waitedMs(index), index);
  std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> rows;
  double sum = 0;
  for (std::size_t i = 0; i < waits.size() && sum < kMostOfWaiting * all_ms; ++i) {
    sum += waits[i].first;
    rows.push_back(waits[i].second);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The probability of at least `hits` in `tries` when each hits one time in `members`, for the best of all members.
double chanceOf(std::size_t hits, std::size_t tries, std::size_t members) {
  const double one = 1 / static_cast<double>(members);
  double sum = 0;
  for (std::size_t k = hits; k <= tries; ++k) {
    const double ways = std::lgamma(static_cast<double>(tries) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                        std::lgamma(static_cast<double>(tries - k) + 1);
    sum += std::exp(ways + static_cast<double>(k) * std::log(one) + static_cast<double>(tries - k) * std::log1p(-one));
  }
  return std::min(1.0, sum * static_cast<double>(members));
}

/// From when the next latest came until the last one did, in one collective of the row.
double gapMs(const TimeLost& lost, std::size_t index) {
  return perCollective(lost.row(index), lost.gainIn(index, only(lost, lost.lastOf(index))));
}

double typicalGapMs(const TimeLost& lost, const std::vector<std::size_t>& rows) {
  std::vector<double> gaps(rows.size());
  std::transform(rows.begin(), rows.end(), gaps.begin(), [&](std::size_t index) { return gapMs(lost, index); });
  return median(std::move(gaps));
}

/// Rows that follow each other are one event: what delays a rank often lasts longer than a step.
std::size_t eventsIn(const std::vector<std::size_t>& rows) {
  std::size_t events = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) events += i == 0 || rows[i] != rows[i - 1] + 1 ? 1 : 0;
  return events;
}

/// The member that came last in most of these rows.
std::size_t mostOftenLast(const TimeLost& lost, const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> last(lost.memberCount());
  for (const std::size_t index : rows) ++last[lost.lastOf(index)];
  return static_cast<std::size_t>(std::max_element(last.begin(), last.end()) - last.begin());
}

}  // namespace

std::optional<SometimesLate> sometimesLateOf(const TimeLost& lost, double least_ms) {
  SometimesLate out;
  out.all_lost_ms = lost.waitedMs();
  const std::vector<std::size_t> most = rowsOfMostWaiting(lost, out.all_lost_ms);
  if (most.size() < kFewestTimes || double(most.size()) > kNowAndThen * double(lost.size())) return std::nullopt;
  const std::size_t member = mostOftenLast(lost, most);
  const std::vector<bool> is_it = only(lost, member);
  const double least = std::max({kLeastLateMs, least_ms, typicalGapMs(lost, most) / 2});
  std::vector<std::size_t> own;
  std::vector<std::size_t> all;
  std::vector<double> gaps;
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const double gap = gapMs(lost, index);
    if (gap < least) continue;
    all.push_back(index);
    if (lost.lastOf(index) != member) continue;
    own.push_back(index);
    gaps.push_back(gap);
    out.gain_ms += lost.gainIn(index, is_it);
    out.lost_ms += lost.owed({index, index + 1}, is_it).lost_ms;
    out.times += lost.row(index).collectives;
  }
  const double run_ms = lost.milliseconds(lost.all());
  const std::size_t events = eventsIn(own);
  const bool is_most = out.lost_ms >= kSameMember * kMostOfWaiting * out.all_lost_ms;
  const bool is_costly = out.gain_ms >= std::max(kLeastGainMs, kLeastGainShare * run_ms);
  if (events < kFewestTimes || !is_most || !is_costly) return std::nullopt;
  out.chance = chanceOf(events, std::max(events, eventsIn(all)), lost.memberCount());
  if (out.chance > kMostChance) return std::nullopt;
  out.rank = (*lost.members())[member];
  out.collectives = lost.collectives(lost.all());
  out.left_out = lost.leftOut(lost.all());
  out.typical_ms = median(std::move(gaps));
  out.share = std::clamp(out.gain_ms / run_ms, 0.0, 1.0);
  out.from_ns = lost.row(own.front()).from_ns;
  out.to_ns = lost.row(own.back()).to_ns;
  out.epoch = lost.row(own.front()).epoch;
  out.step = lost.row(own.front()).step;
  return out;
}

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
    out.lost_ms += lost.waitedMs(index);
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
  out.left_out = lost.leftOut(lost.all());
  out.from_ns = lost.row(0).from_ns;
  out.to_ns = lost.row(lost.size() - 1).to_ns;
  out.best_alone_ms = *std::max_element(alone.begin(), alone.end());
  return out;
}

std::vector<Pause> pausesOf(const TimeLost& lost) {
  const double least = std::max(kShortPauseMs, kPauseTimesUsual * usualMs(lost));
  std::vector<std::pair<double, std::size_t>> longest;
  std::vector<double> sums(lost.memberCount());
  for (std::size_t index = 0; index < lost.size(); ++index) {
    const auto late = lost.late(index);
    const std::size_t last = lost.lastOf(index);
    if (double{late[last]} < least) continue;
    const double alone = lost.gainIn(index, only(lost, last)) / lost.row(index).weight;
    // Ranks of one job come to their first collective at different times.
    const bool is_first = index == 0 && lost.row(index).is_start;
    if (alone < (is_first ? std::max(least, kPauseMs) : least)) continue;
    longest.emplace_back(alone, index);
    sums[last] += alone;
  }
  const double much = kShortPausesShare * lost.milliseconds(lost.all());
  std::erase_if(longest, [&](const auto& one) { return one.first < kPauseMs && sums[lost.lastOf(one.second)] < much; });
  std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (longest.size() > kMostPauses) longest.resize(kMostPauses);
  std::vector<Pause> pauses;
  pauses.reserve(longest.size());
  for (const auto& [ms, index] : longest) pauses.push_back(lost.pauseAt(index));
  std::sort(pauses.begin(), pauses.end(), [](const Pause& a, const Pause& b) { return a.from_ns < b.from_ns; });
  return pauses;
}

}  // namespace shardlens
