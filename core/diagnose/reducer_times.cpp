// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"
#include "core/diagnose/reducer_state.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/statistics.h"

#include <algorithm>
#include <span>
#include <string>

namespace shardlens {

void Reducer::State::finish(RankTracker& rank, const Span& span) {
  rank.addSpan(span);
  rank.trim(now_ns - kRecentNs);
  if (!on_span) return;
  Span relative = span;
  relative.begin_ns -= begin_ns;
  relative.end_ns -= begin_ns;
  on_span(rank.state.rank, relative);
}

void Reducer::State::phaseEnd(RankTracker& rank, const sl_record& record) {
  if (record.op != SL_PHASE_LOAD && record.op != SL_PHASE_COMPUTE) return;
  const auto end = static_cast<std::int64_t>(record.time_ns);
  const auto length = static_cast<std::int64_t>(std::min(record.a, record.time_ns));
  finish(rank, {record.op == SL_PHASE_LOAD ? Phase::Load : Phase::Compute, end - length, end,
                static_cast<std::int32_t>(record.epoch), static_cast<std::int32_t>(record.step)});
}

/// All have left: now it is known who waited, and for how long the data itself took. Times of clocks that cannot be
/// compared tell neither. What a rank did beside the operation has been counted as that.
void Reducer::State::complete(const Collective& collective) {
  if (!collective.isComparable()) return;
  at_stop.goesOn();
  if (on_collective) on_collective(collective);
  for (const Collective::Earlier& one : collective.earlier)
    if (const Visit* visit = collective.visitOf(one.rank)) addAlone(collective, *visit, one.alone);
  for (const Visit& visit : collective.visits) {
    if (visit.leave_ns >= 0) addAlone(collective, visit, visit.alone);
  }
}

/// Where an arrival is not known, what was surely waiting ends with the last one that is; the rest is not known.
void Reducer::State::addAlone(const Collective& collective, const Visit& visit, const Interval& alone) {
  RankTracker& rank = at(visit.rank);
  const std::int64_t release = std::clamp(collective.releaseOf(visit), alone.from_ns, alone.to_ns);
  const auto epoch = static_cast<std::int32_t>(visit.epoch);
  const auto step = static_cast<std::int32_t>(visit.step);
  rank.state.wait_ns += release - alone.from_ns;
  if (release > alone.from_ns) finish(rank, {Phase::Wait, alone.from_ns, release, epoch, step});
  if (release == alone.to_ns) return;
  if (!collective.knowsArrivals()) {
    rank.state.has_gaps = true;
    return;
  }
  rank.state.transfer_ns += alone.to_ns - release;
  finish(rank, {Phase::Transfer, release, alone.to_ns, epoch, step});
}

/// Adds what a rank is in at this moment: a rank that hangs is in what never ends.
void Reducer::State::addOpen(const RankTracker& tracker, RankState& rank, Lane& lane) const {
  const auto open = tracker.open(now_ns, deaths.of(rank.rank));
  if (!open) return;
  const auto add = [&](Phase phase, std::int64_t from_ns, std::int64_t to_ns, std::int64_t& total) {
    if (to_ns <= from_ns) return;
    total += to_ns - from_ns;
    lane.spans.push_back({phase, from_ns - begin_ns, to_ns - begin_ns, static_cast<std::int32_t>(rank.epoch),
                          static_cast<std::int32_t>(rank.step)});
  };
  const auto [from_ns, to_ns] = open->time;
  if (open->doing == RankStatus::Loading) return add(Phase::Load, from_ns, to_ns, rank.load_ns);
  if (open->doing == RankStatus::Computing) return add(Phase::Compute, from_ns, to_ns, rank.compute_ns);
  const Operation& operation = tracker.operations().front();
  const Collective* found = isJoinable(operation) ? collectives.find(keyOf(rank.rank, operation)) : nullptr;
  const bool all_came = found != nullptr && found->knowsArrivals() && found->isComparable();
  const Visit* visit = all_came ? found->visitOf(rank.rank) : nullptr;
  const std::int64_t release = visit != nullptr ? std::clamp(found->releaseOf(*visit), from_ns, to_ns) : to_ns;
  add(Phase::Wait, from_ns, release, rank.wait_ns);
  add(Phase::Transfer, release, to_ns, rank.transfer_ns);
}

/// Whether the rank left this operation because the job failed: whom it waited for never came, and one of them has
/// ended. What a rank with lost records came to is not known, nor what one did that reports nothing.
bool Reducer::State::isInVain(const Collective& collective, const Visit& visit) const {
  if (visit.leave_ns < 0) return false;
  const auto has_ended = [this](std::int64_t rank) { return deaths.of(rank).how != RankEnd::NotYet; };
  const auto is_heard = [this](std::int64_t rank) {
    const RankState& state = ranks[static_cast<std::size_t>(rank)].state;
    return state.status != RankStatus::Unheard && !state.has_gaps;
  };
  const std::vector<std::int64_t> awaited = collective.awaitedBy(visit);
  return !awaited.empty() && std::all_of(awaited.begin(), awaited.end(), is_heard) &&
         (has_ended(visit.rank) || std::any_of(awaited.begin(), awaited.end(), has_ended));
}

/// Adds the waits that nothing but the end of the job ended.
void Reducer::State::addInVain(RunState& shown) const {
  if (trace) return;
  for (const auto& [key, collective] : collectives.open()) {
    const auto add = [&](const Visit& visit, const Interval& alone) {
      const auto rank = static_cast<std::size_t>(visit.rank);
      if (alone.from_ns >= alone.to_ns) return;
      shown.ranks[rank].wait_ns += alone.to_ns - alone.from_ns;
      auto& spans = shown.recent.lanes[rank].spans;
      const Span span{Phase::Wait, alone.from_ns - begin_ns, alone.to_ns - begin_ns,
                      static_cast<std::int32_t>(visit.epoch), static_cast<std::int32_t>(visit.step)};
      const auto later = [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; };
      spans.insert(std::upper_bound(spans.begin(), spans.end(), span, later), span);
    };
    for (const Visit& visit : collective.visits) {
      if (!isInVain(collective, visit)) continue;
      add(visit, visit.alone);
      for (const Collective::Earlier& one : collective.earlier) {
        if (one.rank == visit.rank) add(visit, one.alone);
      }
    }
  }
}

namespace {

constexpr std::int64_t kJudgeEveryNs = 500'000'000;
constexpr std::size_t kManyCells = 100'000;  ///< of the history: then half as often
constexpr std::int64_t kFewCollectives = 64;

/// Of the host with most ranks.
Ground groundOf(const RunState& run, std::size_t groups) {
  std::map<std::string, std::int64_t> of_host;
  std::int64_t most = 1;
  for (const RankState& rank : run.ranks) most = std::max(most, ++of_host[rank.host]);
  Ground ground;
  ground.groups = static_cast<std::int64_t>(groups);
  if (run.cores <= 0) return ground;
  ground.ranks_per_core = (most + run.cores - 1) / run.cores;
  ground.is_tight = 2 * most > run.cores;
  return ground;
}

}  // namespace

void Judgements::update(const RunState& run, const CollectiveTable& collectives, std::int64_t now_ns) {
  std::int64_t count = 0;
  std::size_t cells = 0;
  for (const auto& [group, history] : collectives.timeLost()) {
    count += history.collectives(history.all()) + history.leftOut(history.all());
    cells += history.cells();
  }
  const bool is_early = isUnderWay(run.status) && collectives_ > kFewCollectives &&
                        now_ns - at_ns_ < (cells < kManyCells ? 1 : 2) * kJudgeEveryNs;
  if (count == collectives_ || is_early) return;
  collectives_ = count;
  at_ns_ = now_ns;
  by_group_.clear();
  const Ground ground = groundOf(run, collectives.timeLost().size());
  for (const auto& [group, history] : collectives.timeLost()) by_group_[group] = judge(history, ground);
}

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
