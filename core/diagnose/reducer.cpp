// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer.h"

#include "core/diagnose/arrivals.h"
#include "core/diagnose/clock_table.h"
#include "core/diagnose/collective_table.h"
#include "core/diagnose/deaths.h"
#include "core/diagnose/group_table.h"
#include "core/diagnose/judgements.h"
#include "core/diagnose/rank_tracker.h"
#include "core/diagnose/verdicts.h"
#include "core/diagnose/waits.h"
#include "core/record/record_words.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace shardlens {
namespace {

constexpr std::int64_t kRecentNs = 10'000'000'000;
constexpr std::size_t kMostSpans = 200'000;  ///< of the recent timeline, over all ranks
constexpr std::size_t kMostLines = 500;
constexpr std::int64_t kStallNs = 3'000'000'000;  ///< of all ranks, or of one that a signal stopped for so long
constexpr std::size_t kMostStops = 16;

std::size_t spansPerRank(std::int64_t ranks) {
  return std::clamp<std::size_t>(kMostSpans / static_cast<std::size_t>(std::max<std::int64_t>(1, ranks)), 32, 20'000);
}

bool isKnown(const sl_record& record) {
  return record.kind >= SL_HELLO && record.kind <= SL_GROUP_NAME;
}

}  // namespace

struct Reducer::State {
  ExpectedBatch expected;
  SpanSink on_span;
  BatchSink on_batch;
  RunState run;
  std::vector<RankTracker> ranks;
  CollectiveTable collectives;
  GroupTable groups{0};
  Deaths deaths;
  ClockTable clocks;
  std::string lost;
  std::int64_t begin_ns = -1;
  std::int64_t now_ns = 0;
  std::int64_t last_progress_ns = 0;
  std::vector<StandStill> stops;
  Judgements judgements;
  std::vector<Verdict> at_stop;  ///< what was wrong when the supervisor began to end the job
  EventClock clock;              ///< of the event that is being applied

  void operator()(const Tick& /*tick*/) {}
  void operator()(const RunBegin& begin);
  void operator()(const RankRecord& record);
  void operator()(const RankSlot& slot);
  void operator()(const RankProcess& process);
  void operator()(const RankDropped& dropped);
  void operator()(const LauncherSays& says) { deaths.launcherSays(says, now_ns); }
  void operator()(const RunClock& known) { clocks.learn(known); }
  void operator()(const LogLine& line);
  void operator()(const RunStopping& stopping);
  void operator()(const RunEnd& end);
  void operator()(const RecordingLost& recording);
  void operator()(const FramesDamaged& damage);
  void operator()(const FrameUnknown& /*frame*/) { ++run.unread.unknown_frames; }

  [[nodiscard]] bool has(std::int64_t rank) const {
    return rank >= 0 && rank < static_cast<std::int64_t>(ranks.size());
  }
  RankTracker& at(std::int64_t rank) { return ranks[static_cast<std::size_t>(rank)]; }
  void checkBatch(RankTracker& rank, const sl_record& record);
  void phaseEnd(RankTracker& rank, const sl_record& record);
  void lose(std::int64_t rank);
  void complete(const Collective& collective);
  void addAlone(const Collective& collective, const Visit& visit, const Interval& alone);
  void addOpen(const RankTracker& tracker, RankState& rank, Lane& lane) const;
  void rememberVerdicts(const RunState& before);
  void finish(RankTracker& rank, const Span& span);
  void standStill(const StandStill& stop);
};

void Reducer::State::operator()(const RunBegin& begin) {
  begin_ns = last_progress_ns = now_ns;
  run.name = begin.name;
  run.host = begin.host;
  run.reports = begin.reports;
  run.command = begin.command;
  run.spec_yaml = begin.spec_yaml;
  run.world_size = begin.world_size;
  run.cores = begin.cores;
  run.planned_steps = begin.planned_steps;
  run.planned_batches = begin.planned_batches;
  collectives = CollectiveTable(begin.world_size);
  groups = GroupTable(begin.world_size);
  deaths = Deaths(begin.world_size);
  ranks.clear();
  for (std::int64_t rank = 0; rank < begin.world_size; ++rank) {
    ranks.emplace_back(rank, spansPerRank(begin.world_size));
    if (run.unread.damaged_places > 0) lose(rank);
  }
}

void Reducer::State::finish(RankTracker& rank, const Span& span) {
  rank.addSpan(span);
  rank.trim(now_ns - kRecentNs);
  if (!on_span) return;
  Span relative = span;
  relative.begin_ns -= begin_ns;
  relative.end_ns -= begin_ns;
  on_span(rank.state.rank, relative);
}

void Reducer::State::operator()(const RankRecord& event) {
  sl_record record = event.record;
  if (!has(event.rank) || !clock.bring(record.time_ns)) return;
  if (!isKnown(record)) {
    ++run.unread.unknown_records;
    return;
  }
  RankTracker& rank = at(event.rank);
  if (run.status == JobStatus::Starting) run.status = JobStatus::Running;
  run.reports = true;
  const auto time_ns = static_cast<std::int64_t>(record.time_ns);
  if (time_ns - last_progress_ns >= kStallNs) standStill({-1, last_progress_ns, time_ns});
  last_progress_ns = std::max(last_progress_ns, time_ns);
  const bool worked = rank.worked;
  const bool had_gaps = rank.state.has_gaps;
  rank.record(record);
  if (rank.state.has_gaps && !had_gaps) collectives.lose(event.rank);
  switch (record.kind) {
    case SL_BATCH:
      return checkBatch(rank, record);
    case SL_PHASE_END:
      return phaseEnd(rank, record);
    case SL_COLL_ENTER:
      groups.mention(record.group);
      return collectives.enter({event.rank, record, clock.number, worked}, groups);
    case SL_COLL_LEAVE:
      for (const Collective& one : collectives.leave(event.rank, record, rank.alone())) complete(one);
      return;
    case SL_GROUP:
    case SL_GROUP_MEMBERS:
    case SL_GROUP_NAME:
      if (!groups.record(event.rank, record)) return;
      for (const Collective& one : collectives.learn(record.group, groups.members(record.group))) complete(one);
      return;
    case SL_BYE:
      return deaths.bye(event.rank, static_cast<int>(record.a), static_cast<std::int64_t>(record.time_ns));
    default:
      return;
  }
}

void Reducer::State::phaseEnd(RankTracker& rank, const sl_record& record) {
  if (record.op != SL_PHASE_LOAD && record.op != SL_PHASE_COMPUTE) return;
  const auto end = static_cast<std::int64_t>(record.time_ns);
  const auto length = static_cast<std::int64_t>(std::min(record.a, record.time_ns));
  finish(rank, {record.op == SL_PHASE_LOAD ? Phase::Load : Phase::Compute, end - length, end,
                static_cast<std::int32_t>(record.epoch), static_cast<std::int32_t>(record.step)});
}

void Reducer::State::checkBatch(RankTracker& rank, const sl_record& record) {
  if (!expected) return;
  const auto planned = expected(rank.state.rank, record.epoch, record.step);
  if (!planned) return;  // not known, so neither right nor wrong
  const bool matches = compare(*planned, record) == BatchMatch::AsPlanned;
  if (on_batch) on_batch({rank.state.rank, record.epoch, record.step, matches});
  if (matches) {
    ++rank.state.matched;
    return;
  }
  ++rank.state.mismatched;
  const FirstDifference here{rank.state.rank, record.epoch, record.step};
  const auto order = [](const FirstDifference& at) { return std::tuple(at.epoch, at.step, at.rank); };
  if (!run.first_difference || order(here) < order(*run.first_difference)) run.first_difference = here;
}

/// All have left: now it is known who waited, and for how long the data itself took. Times of clocks that cannot be
/// compared tell neither. What a rank did beside the operation has been counted as that.
void Reducer::State::complete(const Collective& collective) {
  if (!collective.isComparable()) return;
  for (const Collective::Earlier& one : collective.earlier)
    if (const Visit* visit = collective.visitOf(one.rank)) addAlone(collective, *visit, one.alone);
  for (const Visit& visit : collective.visits) {
    if (visit.leave_ns >= 0) addAlone(collective, visit, visit.alone);
  }
}

/// Where an arrival is not known, the last one that is known ends what was surely waiting; what the rest was is not
/// known.
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

/// The longest ones are kept.
void Reducer::State::standStill(const StandStill& stop) {
  const auto length = [](const StandStill& one) { return one.to_ns - one.from_ns; };
  if (length(stop) < (stop.rank < 0 ? kStallNs : kStallNs / 3)) return;
  stops.push_back(stop);
  if (stops.size() <= kMostStops) return;
  stops.erase(std::min_element(stops.begin(), stops.end(),
                               [&](const auto& a, const auto& b) { return length(a) < length(b); }));
}

void Reducer::State::operator()(const RankSlot& event) {
  sl_slot slot = event.slot;
  if (!has(event.rank) || !clock.bring(slot.time_ns) || !clock.bring(slot.since_ns)) return;
  at(event.rank).slot(slot);
  if (slot.op != SL_OP_NONE) groups.mention(slot.group);
  // Its good-bye itself may have found the ring full.
  if (slot.phase == SL_PHASE_DONE) deaths.bye(event.rank, 0, static_cast<std::int64_t>(slot.time_ns));
}

void Reducer::State::operator()(const RankProcess& process) {
  if (!has(process.rank)) return;
  if (run.status == JobStatus::Starting) run.status = JobStatus::Running;
  RankTracker& rank = at(process.rank);
  if (rank.isStopped() && process.state == ProcessState::Running)
    standStill({process.rank, rank.stoppedSince(), now_ns});
  rank.process(process, now_ns);
  if (process.state == ProcessState::Gone) deaths.gone(process.rank, now_ns);
}

void Reducer::State::operator()(const RankDropped& dropped) {
  if (!has(dropped.rank) || dropped.total < 0 || dropped.total > kLatestNs / 2) return;
  run.dropped += dropped.total - at(dropped.rank).state.dropped;
  at(dropped.rank).state.dropped = dropped.total;
  lose(dropped.rank);
}

void Reducer::State::lose(std::int64_t rank) {
  at(rank).lose(now_ns);
  collectives.lose(rank);
}

void Reducer::State::operator()(const LogLine& line) {
  run.log.push(line);
  if (run.log.size() > kMostLines) run.log.popFront();
}

void Reducer::State::operator()(const RunStopping& stopping) {
  deaths.jobIsEnded();
  (*this)(LogLine{LogLine::kOwn, !stopping.by_user, stopping.why});
}

void Reducer::State::operator()(const RunEnd& end) {
  run.status = end.status;
  run.exit_code = end.exit_code;
  run.failure = end.failure;
  for (const Collective& one : collectives.end()) complete(one);
}

void Reducer::State::operator()(const RecordingLost& recording) {
  lost = recording.why.empty() ? words::recordingHasNoEnd() : recording.why;
  run.status = JobStatus::Unknown;
  run.failure = lost;
  for (const RankTracker& rank : ranks) {
    if (rank.isSlotAhead()) lose(rank.state.rank);  // what it did up to then was in what was cut off
  }
  for (const Collective& one : collectives.end()) complete(one);
}

void Reducer::State::operator()(const FramesDamaged& damage) {
  ++run.unread.damaged_places;
  run.unread.damaged_bytes += damage.bytes;
  // Whose records they were is not known, so the absence of a rank tells nothing from here on.
  for (const RankTracker& rank : ranks) lose(rank.state.rank);
}

Reducer::Reducer(ExpectedBatch expected, SpanSink on_span, BatchSink on_batch) : state_(std::make_unique<State>()) {
  state_->expected = std::move(expected);
  state_->on_span = std::move(on_span);
  state_->on_batch = std::move(on_batch);
}

Reducer::~Reducer() = default;
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;

/// A stalled or deadlocked job looks like any other once it was ended: what was wrong is judged before that.
void Reducer::State::rememberVerdicts(const RunState& before) {
  for (const Verdict& verdict : before.verdicts) {
    if (verdict.kind == VerdictKind::Stalled) at_stop.push_back(verdict);
  }
}

void Reducer::apply(const Event& event) {
  State& state = *state_;
  state.clock = state.clocks.at(event.clock, event.time_ns, state.now_ns);
  auto time_ns = static_cast<std::uint64_t>(event.time_ns);
  if (event.time_ns >= 0 && state.clock.bring(time_ns))
    state.now_ns = std::max(state.now_ns, static_cast<std::int64_t>(time_ns));
  if (state.begin_ns < 0) state.begin_ns = state.now_ns;
  const bool is_last_moment =
      std::holds_alternative<RunStopping>(event.what) || std::holds_alternative<RecordingLost>(event.what);
  if (is_last_moment) state.rememberVerdicts(snapshot());
  std::visit(state, event.what);
}

std::int64_t Reducer::now() const {
  return state_->begin_ns < 0 ? 0 : state_->now_ns - state_->begin_ns;
}

RunState Reducer::snapshot() const {
  State& state = *state_;
  RunState run = state.run;
  run.elapsed_ns = now();
  run.recent.end_ns = run.elapsed_ns;
  run.recent.begin_ns = std::max<std::int64_t>(0, run.elapsed_ns - kRecentNs);
  run.clock_error_us = state.begin_ns < 0 ? std::nullopt : state.clocks.errorUs();
  for (const std::uint32_t group : state.groups.groups())
    run.groups.push_back({group, state.groups.name(group), state.groups.members(group)});
  for (const RankTracker& tracker : state.ranks) {
    const Ending& ending = state.deaths.of(tracker.state.rank);
    RankState rank = tracker.at(state.now_ns, state.begin_ns, ending);
    if (rank.host.empty()) rank.host = run.host;
    if (rank.operation) rank.group = state.groups.text(rank.operation->group);
    Lane lane = tracker.lane(state.begin_ns);
    state.addOpen(tracker, rank, lane);
    run.ranks.push_back(std::move(rank));
    run.recent.lanes.push_back(std::move(lane));
  }
  run.arrivals = arrivalsOf(state.collectives.timeLost(), run.world_size);
  state.judgements.update(run, state.collectives, state.now_ns);
  const Evidence evidence{run,
                          state.ranks,
                          state.collectives,
                          state.groups,
                          state.deaths,
                          state.now_ns,
                          state.last_progress_ns,
                          state.lost,
                          state.judgements.byGroup(),
                          state.stops,
                          state.begin_ns};
  const Waits waits = waitsNow(evidence);
  run.waiting_for = waitingFor(evidence, waits);
  run.deadlocked = isDeadlocked(evidence, waits);
  run.verdicts = verdictsOf(evidence, waits);
  run.verdicts.insert(run.verdicts.begin(), state.at_stop.begin(), state.at_stop.end());
  return run;
}

}  // namespace shardlens
