// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer_state.h"

#include <algorithm>

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

}  // namespace shardlens
