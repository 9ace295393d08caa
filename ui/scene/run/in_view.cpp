// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/in_view.h"

#include "core/collect/run_replay.h"
#include "ui/scene/run/proof.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr std::int64_t kSameMoment = 1000;  ///< ns: the ranks of one collective are released together

/// A rank came to a collective, and all could go on.
struct Came {
  std::int64_t release_ns = 0;
  std::int64_t rank = 0;
  std::int64_t at_ns = 0;
};

void addOf(const Lane& lane, std::int64_t begin_ns, std::int64_t end_ns, std::vector<Came>& all) {
  auto span = std::partition_point(lane.spans.begin(), lane.spans.end(),
                                   [begin_ns](const Span& one) { return one.end_ns <= begin_ns; });
  for (; span != lane.spans.end() && span->begin_ns < end_ns; ++span) {
    if (span->phase == Phase::Wait && span->end_ns <= end_ns) all.push_back({span->end_ns, lane.rank, span->begin_ns});
    if (span->phase != Phase::Transfer) continue;
    const bool waited = span != lane.spans.begin() && std::prev(span)->phase == Phase::Wait &&
                        std::prev(span)->end_ns == span->begin_ns;
    if (!waited) all.push_back({span->begin_ns, lane.rank, span->begin_ns});
  }
}

/// Milliseconds after the first rank, in every collective, by rank.
using Lateness = std::vector<std::vector<double>>;

void addCollective(std::vector<Came>::const_iterator from, std::vector<Came>::const_iterator to, Lateness& late,
                   std::vector<shardlens::Arrival>& ranks) {
  if (to - from < 2) return;
  const auto first = std::min_element(from, to, [](const Came& a, const Came& b) { return a.at_ns < b.at_ns; });
  const auto last = std::max_element(from, to, [](const Came& a, const Came& b) { return a.at_ns < b.at_ns; });
  ++ranks[static_cast<std::size_t>(last->rank)].last_in;
  for (auto one = from; one != to; ++one) {
    late[static_cast<std::size_t>(one->rank)].push_back(static_cast<double>(one->at_ns - first->at_ns) / 1e6);
  }
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> timeOfStep(const Overview& overview, qint64 epoch, qint64 step) {
  const auto& steps = overview.steps;
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const StepTime& one) {
    return one.epoch == epoch && step >= one.step && step < one.step + one.steps;
  });
  if (found == steps.end()) return std::nullopt;
  const bool is_last = std::next(found) == steps.end();
  return std::pair(found->begin_ns, is_last ? overview.lanes.end_ns : std::next(found)->begin_ns);
}

std::optional<StepRange> stepsIn(const Overview& overview, const TimeWindow& window, const RunFacts* facts) {
  const auto& steps = overview.steps;
  auto from = std::partition_point(steps.begin(), steps.end(),
                                   [&](const StepTime& one) { return one.begin_ns <= window.begin(); });
  if (from != steps.begin()) --from;
  const auto to =
      std::partition_point(from, steps.end(), [&](const StepTime& one) { return one.begin_ns < window.end(); });
  if (from == to) return std::nullopt;
  const auto place = [facts](const StepTime& one, qint64 more) {
    Selected at;
    at.epoch = one.epoch;
    at.step = one.step + more;
    return globalStepOf(at, facts);
  };
  const auto first = place(*from, 0);
  const auto last = place(*std::prev(to), 0);
  if (!first || !last) return std::nullopt;
  return StepRange{*first, std::max(*first, *last + std::prev(to)->steps - 1)};
}

std::optional<std::vector<shardlens::Arrival>> arrivalsIn(const RunLanes& lanes, std::int64_t begin_ns,
                                                          std::int64_t end_ns, const Work& work) {
  const bool is_exact = lanes.overview != nullptr && lanes.overview->resolution_ns == 0;
  std::vector<Came> all;
  for (std::size_t rank = 0; rank < lanes.ranks() && !work.stopped(); ++rank) {
    const LaneSource source = lanes.of(rank);
    const bool is_recent = !source.recent->spans.empty() && source.recent->spans.front().begin_ns <= begin_ns;
    if (!is_recent && !is_exact) return std::nullopt;
    addOf(is_recent || source.whole == nullptr ? *source.recent : *source.whole, begin_ns, end_ns, all);
  }
  std::sort(all.begin(), all.end(), [](const Came& a, const Came& b) { return a.release_ns < b.release_ns; });
  std::vector<shardlens::Arrival> ranks(lanes.ranks());
  Lateness late(lanes.ranks());
  for (auto from = all.cbegin(); from != all.cend();) {
    const auto to = std::find_if(from, all.cend(),
                                 [&](const Came& one) { return one.release_ns - from->release_ns > kSameMoment; });
    addCollective(from, to, late, ranks);
    from = to;
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::vector<double>& of = late[rank];
    ranks[rank].rank = static_cast<std::int64_t>(rank);
    ranks[rank].collectives = static_cast<std::int64_t>(of.size());
    if (of.empty()) continue;
    std::sort(of.begin(), of.end());
    ranks[rank].median_ms = quantile(of, 0.5);
    ranks[rank].p05_ms = quantile(of, 0.05);
    ranks[rank].p95_ms = quantile(of, 0.95);
  }
  return ranks;
}

}  // namespace shardlens::ui
