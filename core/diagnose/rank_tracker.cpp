// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include "core/diagnose/collective_table.h"

#include <algorithm>

namespace shardlens {
namespace {

/// No batch has more samples; a damaged number must not overflow the sums.
constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 32;

std::int64_t timeOf(const sl_record& record) {
  return static_cast<std::int64_t>(record.time_ns);
}

/// How long a phase took, as the record says, but never longer than the clock ran.
std::int64_t durationOf(const sl_record& record) {
  return static_cast<std::int64_t>(std::min(record.a, record.time_ns));
}

RankStatus statusOf(std::uint32_t phase) {
  switch (phase) {
    case SL_PHASE_LOAD:
      return RankStatus::Loading;
    case SL_PHASE_COMPUTE:
      return RankStatus::Computing;
    case SL_PHASE_COLLECTIVE:
      return RankStatus::InCollective;
    case SL_PHASE_DONE:
      return RankStatus::Done;
    default:
      return RankStatus::Between;
  }
}

std::optional<Phase> phaseOf(RankStatus status) {
  switch (status) {
    case RankStatus::Loading:
      return Phase::Load;
    case RankStatus::Computing:
      return Phase::Compute;
    case RankStatus::InCollective:
      return Phase::Wait;
    default:
      return std::nullopt;
  }
}

}  // namespace

RankTracker::RankTracker(std::int64_t rank, std::size_t most_spans) : most_spans_(most_spans) {
  state.rank = rank;
}

void RankTracker::begin(RankStatus status, std::int64_t time_ns) {
  state.status = status;
  state.since_ns = time_ns;
}

void RankTracker::record(const sl_record& record) {
  heard_ns_ = std::max(heard_ns_, timeOf(record));
  switch (record.kind) {
    case SL_HELLO:
      state.pid = static_cast<std::int64_t>(record.a);
      return begin(RankStatus::Between, timeOf(record));
    case SL_EPOCH_BEGIN:
      state.epoch = record.epoch;
      state.step = 0;
      steps_in_epoch = 0;
      ran_out = false;
      return begin(RankStatus::Between, timeOf(record));
    case SL_EPOCH_END:
      ran_out = true;
      return begin(RankStatus::Between, timeOf(record));
    case SL_BATCH:
      state.samples += static_cast<std::int64_t>(std::min(record.b, kMostSamples));
      return rate_.add(timeOf(record), static_cast<std::int64_t>(std::min(record.b, kMostSamples)));
    case SL_PHASE_BEGIN:
      return phaseBegin(record);
    case SL_PHASE_END:
      return phaseEnd(record);
    case SL_COLL_ENTER:
      in_collective = true;
      collective = record.seq;
      state.op = operationName(record.op);
      return begin(RankStatus::InCollective, timeOf(record));
    case SL_COLL_LEAVE:
      in_collective = false;
      worked = false;
      collective = record.seq + 1;
      ++state.collectives;
      return begin(RankStatus::Between, timeOf(record));
    case SL_STEP_BEGIN:
      state.step = record.step;
      return begin(RankStatus::Between, timeOf(record));
    case SL_STEP_END:
      ++state.steps_done;
      ++steps_in_epoch;
      return begin(RankStatus::Between, timeOf(record));
    case SL_BYE:
      said_bye = true;
      bye_code = static_cast<std::int64_t>(record.a);
      return begin(RankStatus::Done, timeOf(record));
    default:
      return;
  }
}

void RankTracker::phaseBegin(const sl_record& record) {
  state.epoch = record.epoch;
  state.step = record.step;
  worked = true;
  begin(statusOf(record.op), timeOf(record));
}

void RankTracker::phaseEnd(const sl_record& record) {
  const std::int64_t duration = durationOf(record);
  const bool is_load = record.op == SL_PHASE_LOAD;
  if (!is_load && record.op != SL_PHASE_COMPUTE) return begin(RankStatus::Between, timeOf(record));
  worked = true;
  (is_load ? state.load_ns : state.compute_ns) += duration;
  (is_load ? load_ms : compute_ms).add(static_cast<double>(duration) / 1e6);
  begin(RankStatus::Between, timeOf(record));
}

void RankTracker::slot(const sl_slot& slot) {
  const auto time_ns = static_cast<std::int64_t>(slot.time_ns);
  if (time_ns <= heard_ns_ || said_bye) return;
  heard_ns_ = time_ns;
  state.epoch = slot.epoch;
  state.step = slot.step;
  in_collective = slot.phase == SL_PHASE_COLLECTIVE;
  collective = slot.seq;
  if (in_collective) state.op = operationName(slot.op);
  begin(statusOf(slot.phase), static_cast<std::int64_t>(std::min(slot.since_ns, slot.time_ns)));
}

void RankTracker::process(const RankProcess& process, std::int64_t time_ns, bool others_sent_away) {
  state.pid = process.pid;
  if (!process.host.empty()) state.host = process.host;
  stopped_ = process.state == ProcessState::Stopped;
  stopped_ns_ = time_ns;
  if (process.state != ProcessState::Gone || gone_ns >= 0) return;
  gone_ns = time_ns;
  if (said_bye) return;
  died = !others_sent_away;
  begin(died ? RankStatus::Dead : RankStatus::Ended, time_ns);
}

void RankTracker::blame(int by_signal) {
  signal = by_signal;
  if (gone_ns < 0 || said_bye) return;
  died = by_signal != 0;
  state.status = died ? RankStatus::Dead : RankStatus::Ended;
}

void RankTracker::addSpan(const Span& span) {
  auto place = spans_.end();
  while (place != spans_.begin() && std::prev(place)->begin_ns > span.begin_ns) --place;
  spans_.insert(place, span);
  if (spans_.size() > most_spans_) spans_.pop_front();
}

void RankTracker::trim(std::int64_t before_ns) {
  while (!spans_.empty() && spans_.front().end_ns < before_ns) spans_.pop_front();
}

RankState RankTracker::at(std::int64_t now_ns, std::int64_t begin_ns) const {
  RankState out = state;
  if (stopped_ && gone_ns < 0) {
    out.status = RankStatus::Stopped;
    out.since_ns = stopped_ns_;
  }
  out.since_ns = out.status == RankStatus::Unheard ? 0 : out.since_ns - begin_ns;
  out.samples_per_s = out.status == RankStatus::Done ? 0 : rate_.perSecond(now_ns);
  if (!in_collective) out.op.clear();
  return out;
}

Lane RankTracker::lane(std::int64_t now_ns, std::int64_t begin_ns) const {
  Lane lane{state.rank, {}};
  lane.spans.reserve(spans_.size() + 1);
  for (Span span : spans_) {
    span.begin_ns -= begin_ns;
    span.end_ns -= begin_ns;
    lane.spans.push_back(span);
  }
  const auto phase = phaseOf(state.status);
  if (phase && now_ns > state.since_ns) {
    lane.spans.push_back({*phase, state.since_ns - begin_ns, now_ns - begin_ns, static_cast<std::int32_t>(state.epoch),
                          static_cast<std::int32_t>(state.step)});
  }
  return lane;
}

}  // namespace shardlens
