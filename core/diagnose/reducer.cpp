// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer.h"

#include "core/diagnose/collective_table.h"
#include "core/diagnose/evidence.h"
#include "core/diagnose/reducer_state.h"
#include "core/diagnose/statistics.h"
#include "core/diagnose/verdicts.h"
#include "core/record/frame.h"
#include "core/record/record_words.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace shardlens {
namespace {

constexpr std::size_t kMostLines = 500;

/// Ranks that a signal ends together are not seen to go further apart.
constexpr std::int64_t kTogetherNs = 500'000'000;

/// No rank can go on, and none of them has died.
bool isStuck(const RunState& run) {
  const auto has = [&run](VerdictKind kind) {
    return std::ranges::any_of(run.verdicts, [kind](const Verdict& verdict) { return verdict.kind == kind; });
  };
  return !has(VerdictKind::Dead) && (run.deadlocked || has(VerdictKind::Stalled));
}

/// A rank that only ends what it was in, as by an exception, says none of this.
bool goesOn(const sl_record& record) {
  const bool asks = record.kind == SL_PHASE_BEGIN && record.op == SL_PHASE_LOAD;
  return asks || record.kind == SL_BATCH || record.kind == SL_STEP_BEGIN || record.kind == SL_STEP_END;
}

}  // namespace

void Reducer::State::operator()(const RunBegin& begin) {
  begin_ns = last_progress_ns = now_ns;
  run.name = begin.name;
  run.host = begin.host;
  run.reports = begin.reports;
  run.is_from_start = begin.ends_job;
  run.command = begin.command;
  run.spec_yaml = begin.spec_yaml;
  run.cores = begin.cores;
  designed_steps = begin.planned_steps;
  if (begin.world_size > 0) run.planned_steps = designed_steps;
  run.planned_batches = begin.planned_batches;
  makeWorld(begin.world_size);
}

void Reducer::State::makeWorld(std::int64_t size) {
  run.world_size = size;
  collectives = CollectiveTable(size, is_world_learned);
  groups = GroupTable(size);
  deaths.grow(size);
  ranks.clear();
  for (std::int64_t rank = 0; rank < size; ++rank) {
    ranks.emplace_back(rank, spansKept(size));
    ranks.back().counts_each_kind = trace == nullptr;
    if (run.unread.damaged_places > 0) lose(rank);
  }
}

/// The ranks of a command say themselves how many they are, the first one for all. False for one of another world.
bool Reducer::State::heedHello(const sl_record& hello) {
  const auto size = static_cast<std::int64_t>(std::min<std::uint64_t>(hello.b, frame::kMostRanks + 1));
  if (run.world_size == 0 && hello.seq == 0 && size >= 1 && size <= frame::kMostRanks) {
    is_world_learned = true;
    learned_ns = last_progress_ns = now_ns;
    makeWorld(size);
  }
  has_other_start = has_other_start || hello.seq != 0;
  if (hello.seq != 0 && size <= frame::kMostRanks) told_world = size;
  return hello.seq == 0;
}

/// No rank waits for any, in a job that does not say its steps: that is no standstill.
bool Reducer::State::isAtWork() const {
  return is_world_learned && std::ranges::none_of(ranks, [](const RankTracker& rank) {
           return rank.isBlocked() || rank.state.steps_done > 0 || rank.state.samples > 0;
         });
}

bool Reducer::State::endsStandStill(const Event& event) const {
  const auto* const record = std::get_if<RankRecord>(&event.what);
  if (record == nullptr || record->record.kind == SL_DRAWN || !run.reports || isLeisurelyEnd(record->record))
    return false;
  return isStandStill(now_ns);
}

/// A rank ends well while none waits: after their last step jobs save, and interpreters take their time to end.
bool Reducer::State::isLeisurelyEnd(const sl_record& record) const {
  return record.kind == SL_BYE && record.a == 0 &&
         std::ranges::none_of(ranks, [](const RankTracker& rank) { return rank.isBlocked(); });
}

bool Reducer::State::mayEndStuckJob(const Event& event) const {
  const auto* const process = std::get_if<RankProcess>(&event.what);
  const auto* const says = std::get_if<LauncherSays>(&event.what);
  const bool is_end =
      (process != nullptr && process->state == ProcessState::Gone) || (says != nullptr && says->rank >= 0);
  const std::int64_t rank = process != nullptr ? process->rank : says != nullptr ? says->rank : -1;
  return is_end && has(rank) && deaths.of(rank).how == RankEnd::NotYet && !deaths.hasStoodStill() && !trace &&
         run.status == JobStatus::Running && (isStandStill(now_ns) || collectives.firstMixed());
}

/// By the definition of a stall of a job that runs: in proportion to how long its steps take.
bool Reducer::State::isStandStill(std::int64_t until_ns) const {
  const std::int64_t quiet_ns = until_ns - last_progress_ns;
  return quiet_ns >= StandStills::kShortestNs && quiet_ns >= stallTime(collectives, ranks);
}

/// A time-out ends an operation in which others wait, and then the process, as a signal ends whatever the rank is in.
void Reducer::State::heedInStandStill(std::int64_t rank, const sl_record& record) {
  if (record.kind == SL_COLL_LEAVE || record.kind == SL_BYE) return;
  if (record.kind != SL_PHASE_END) return at_stop.heardOf(rank);
  if (record.op == SL_PHASE_LOAD) at_stop.endsLoading(rank);
}

void Reducer::State::operator()(const RankRecord& event) {
  sl_record record = event.record;
  if (record.kind == SL_HELLO && !heedHello(record)) return;
  if (!has(event.rank) || !clock.bring(record.time_ns)) return;
  if (record.kind < SL_HELLO || record.kind > SL_DRAWN) {
    ++run.unread.unknown_records;
    return;
  }
  RankTracker& rank = at(event.rank);
  if (record.kind == SL_DRAWN) {  // not a word of the rank itself
    run.planned_steps = designed_steps;
    return checkBatch(rank, record);
  }
  if (run.status == JobStatus::Starting) run.status = JobStatus::Running;
  run.reports = true;
  heedInStandStill(event.rank, record);
  const auto time_ns = static_cast<std::int64_t>(record.time_ns);
  if (isStandStill(time_ns) && !isAtWork() && !isLeisurelyEnd(record)) stops.add({-1, last_progress_ns, time_ns});
  last_progress_ns = std::max(last_progress_ns, time_ns);
  if (goesOn(record)) went_on_ns = std::max(went_on_ns, time_ns);
  // Between its operations a rank that tells no phases is at work. Where waits in other groups are excused, work before
  // an operation of another group counts, too.
  const bool worked =
      record.kind == SL_COLL_ENTER && (is_world_learned ? rank.wasBusy(record.group, time_ns) : rank.worked);
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
      return collectives.enter({event.rank, record, clock.number, worked, rank.ran_out, rank.started_ns}, groups);
    case SL_COLL_LEAVE:
      for (const Collective& one : collectives.leave(event.rank, record, rank.alone())) {
        went_on_ns = std::max(went_on_ns, time_ns);
        complete(one);
      }
      return;
    case SL_GROUP:
    case SL_GROUP_MEMBERS:
    case SL_GROUP_NAME:
      if (!groups.record(event.rank, record)) return;
      for (const Collective& one : collectives.learn(record.group, groups.members(record.group))) complete(one);
      return;
    case SL_STEP_END:
      return at_stop.goesOn();
    case SL_BYE:
      if (record.a != 0) at_stop.givesUp(record.b != 0);
      return deaths.bye(event.rank, static_cast<int>(record.a), static_cast<std::int64_t>(record.time_ns),
                        static_cast<int>(record.b));
    default:
      return;
  }
}

namespace {

bool isBefore(const FirstDifference& a, const FirstDifference& b) {
  return std::tuple(a.epoch, a.step, a.rank) < std::tuple(b.epoch, b.step, b.rank);
}

}  // namespace

void Reducer::State::checkBatch(RankTracker& rank, const sl_record& record) {
  if (!expected) return;
  const auto planned = expected(rank.state.rank, record.epoch, record.step);
  if (!planned) return;  // not known, so neither right nor wrong
  const bool matches = compare(*planned, record) == BatchMatch::AsPlanned;
  if (record.kind == SL_DRAWN) return tallyDrawn(rank, record, matches);
  if (on_batch) on_batch({rank.state.rank, record.epoch, record.step, matches});
  if (matches) {
    ++rank.state.matched;
    return;
  }
  ++rank.state.mismatched;
  const FirstDifference here{rank.state.rank, record.epoch, record.step};
  if (!run.first_difference || isBefore(here, *run.first_difference)) run.first_difference = here;
}

void Reducer::State::tallyDrawn(RankTracker& rank, const sl_record& record, bool matches) {
  const auto before = rank.drawn.counts().first_difference;
  rank.drawn.add({record.op, static_cast<std::int64_t>(record.seq), record.epoch, record.step, matches});
  const DrawnTally::Counts counts = rank.drawn.counts();
  rank.state.matched = counts.matched;
  rank.state.mismatched = counts.mismatched;
  if (on_batch && counts.loader == record.op) {
    const bool is_anew = rank.checked_loader >= 0 && rank.checked_loader != counts.loader;
    rank.checked_loader = counts.loader;
    on_batch({rank.state.rank, record.epoch, record.step, matches, is_anew});
  }
  if (counts.first_difference == before) return;
  run.first_difference.reset();
  for (const RankTracker& one : ranks) {
    const auto differs = one.drawn.counts().first_difference;
    if (!differs) continue;
    const FirstDifference here{one.state.rank, differs->first, differs->second};
    if (!run.first_difference || isBefore(here, *run.first_difference)) run.first_difference = here;
  }
}

void Reducer::State::operator()(const RankSlot& event) {
  sl_slot slot = event.slot;
  if (!has(event.rank) || !clock.bring(slot.time_ns) || !clock.bring(slot.since_ns)) return;
  at(event.rank).slot(slot);
  if (slot.op != SL_OP_NONE) groups.mention(slot.group);
  // Its good-bye itself may have found the ring full.
  if (slot.phase == SL_PHASE_DONE) deaths.bye(event.rank, 0, static_cast<std::int64_t>(slot.time_ns));
}

void Reducer::State::operator()(const RankStack& stack) {
  auto taken_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(stack.taken_ns, 0));
  if (!has(stack.rank) || !clock.bring(taken_ns)) return;
  at(stack.rank).stack(stack, static_cast<std::int64_t>(taken_ns), begin_ns);
}

void Reducer::State::operator()(const RankProcess& process) {
  if (!has(process.rank)) return;
  if (run.status == JobStatus::Starting) run.status = JobStatus::Running;
  RankTracker& rank = at(process.rank);
  if (rank.isStopped() && process.state == ProcessState::Running)
    stops.add({process.rank, rank.stoppedSince(), now_ns});
  rank.process(process, now_ns);
  if (process.state == ProcessState::Gone && deaths.of(process.rank).how != RankEnd::SaidBye) at_stop.givesUp();
  if (process.state == ProcessState::Gone) deaths.gone(process.rank, now_ns, !is_world_learned || rank.says_bye);
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
  if (end.status == JobStatus::Failed) at_stop.givesUp();
  if (trace) endTrace();
  for (const Collective& one : collectives.end()) complete(one);
}

/// What a trace does not hold to its end is no evidence.
void Reducer::State::endTrace() {
  is_at_end = true;
  for (std::size_t rank = 0; rank < trace->ranks.size(); ++rank) {
    if (trace->ranks[rank].is_cut && has(static_cast<std::int64_t>(rank))) lose(static_cast<std::int64_t>(rank));
  }
}

void Reducer::State::operator()(const RecordingLost& recording) {
  lost = recording.why.empty() ? words::recordingHasNoEnd() : recording.why;
  says_no_end_first = recording.why.empty() || recording.says_no_end_first;
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

/// Nobody is left, and those who went without a word went at the same time.
bool Reducer::State::areEndedTogether() const {
  const std::vector<std::int64_t> gone = deaths.unsaid();
  if (gone.empty()) return false;
  const bool is_left = std::ranges::any_of(
      ranks, [this](const RankTracker& rank) { return deaths.of(rank.state.rank).how == RankEnd::NotYet; });
  if (is_left && run.status == JobStatus::Running) return false;
  const std::int64_t last_ns = is_left ? now_ns : deaths.of(gone.back()).time_ns;
  return last_ns - deaths.of(gone.front()).time_ns < kTogetherNs;
}

void Reducer::State::settleEndings() {
  if (deaths.hasStoodStill() && areEndedTogether()) return deaths.endedTogether();
  for (const std::int64_t rank : deaths.unsaid()) {
    // Others may be seen to go with it yet.
    if (deaths.hasStoodStill() && run.status == JobStatus::Running && now_ns - deaths.of(rank).time_ns < kTogetherNs)
      continue;
    const bool had_to_say = deaths.hasStoodStill() && (!is_world_learned || at(rank).says_bye);
    if (had_to_say || wasCutShort(rank, ranks, collectives)) deaths.shown(rank);
  }
}

Reducer::Reducer(ExpectedBatch expected, SpanSink on_span, BatchSink on_batch, CollectiveSink on_collective)
    : state_(std::make_unique<State>()) {
  state_->expected = std::move(expected);
  state_->on_span = std::move(on_span);
  state_->on_batch = std::move(on_batch);
  state_->on_collective = std::move(on_collective);
}

Reducer::~Reducer() = default;
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;

void Reducer::setTrace(std::shared_ptr<const TraceEnd> end) {
  state_->trace = std::move(end);
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
  if (is_last_moment) state.at_stop.keep(snapshot());
  if (state.mayEndStuckJob(event)) {
    if (const RunState before = snapshot(); isStuck(before)) {
      state.at_stop.keep(before);
      state.deaths.jobStoodStill();
    }
  }
  if (state.endsStandStill(event)) state.at_stop.suspect(snapshot());
  std::visit(state, event.what);
}

std::int64_t Reducer::now() const {
  return state_->begin_ns < 0 ? 0 : state_->now_ns - state_->begin_ns;
}

std::int64_t Reducer::worldSize() const {
  return state_->run.world_size;
}

RunState Reducer::snapshot() const {
  State& state = *state_;
  state.settleEndings();
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
  state.addInVain(run);
  run.arrivals = arrivalsOf(state.collectives.timeLost(), run.world_size);
  // The times of others' traces are too coarse to judge by.
  if (!state.trace) state.judgements.update(run, state.collectives, state.now_ns);
  const Evidence evidence{run,
                          state.ranks,
                          state.collectives,
                          state.groups,
                          state.deaths,
                          state.now_ns,
                          state.last_progress_ns,
                          state.went_on_ns,
                          state.lost,
                          state.judgements.byGroup(),
                          state.stops.all(),
                          state.begin_ns,
                          state.learned_ns,
                          state.is_world_learned,
                          state.has_other_start,
                          state.told_world,
                          state.trace.get(),
                          state.is_at_end,
                          state.says_no_end_first,
                          !state.at_stop.isEmpty()};
  const Waits waits = waitsNow(evidence);
  run.waiting_for = waitingFor(evidence, waits);
  run.deadlocked = isDeadlocked(evidence, waits);
  run.none_can_go_on = waits.none_can_go_on;
  run.verdicts = verdictsOf(evidence, waits);
  state.at_stop.addTo(run);
  const bool is_over =
      run.status == JobStatus::Finished || run.status == JobStatus::Failed || run.status == JobStatus::Stopped;
  for (Verdict& verdict : run.verdicts) {
    if (is_over && !verdict.next_when_over.empty()) verdict.next = verdict.next_when_over;
  }
  return run;
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
  return !awaited.empty() && std::ranges::all_of(awaited, is_heard) &&
         (has_ended(visit.rank) || std::ranges::any_of(awaited, has_ended));
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
