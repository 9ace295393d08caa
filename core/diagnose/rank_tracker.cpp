// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include <algorithm>
#include <optional>

namespace shardlens {
namespace {

/// No batch has more samples; a damaged number must not overflow the sums.
constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 32;
/// More are not kept: what is open at the same time is a handful.
constexpr std::size_t kMostOperations = 4096;

std::int64_t timeOf(const sl_record& record) {
  return static_cast<std::int64_t>(record.time_ns);
}

/// How long a phase took, as the record says, but never longer than the clock ran.
std::int64_t durationOf(const sl_record& record) {
  return static_cast<std::int64_t>(std::min(record.a, record.time_ns));
}

/// Loading, Computing, or Between for whatever is no phase of work.
RankStatus statusOf(std::uint32_t phase) {
  if (phase == SL_PHASE_LOAD) return RankStatus::Loading;
  return phase == SL_PHASE_COMPUTE ? RankStatus::Computing : RankStatus::Between;
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

void RankTracker::beginBetween(std::int64_t time_ns) {
  if (phase_ == RankStatus::Between && operations_.empty()) free_ns_ = time_ns;
}

void RankTracker::record(const sl_record& record) {
  const std::int64_t time_ns = timeOf(record);
  if (state.status == RankStatus::Unheard) state.status = RankStatus::Between;
  heard_ns_ = std::max(heard_ns_, time_ns);
  switch (record.kind) {
    case SL_HELLO:
      state.pid = static_cast<std::int64_t>(record.a);
      return beginBetween(time_ns);
    case SL_EPOCH_BEGIN:
      state.epoch = record.epoch;
      state.step = 0;
      steps_in_epoch = 0;
      ran_out = false;
      return beginBetween(time_ns);
    case SL_EPOCH_END:
      ran_out = true;
      return beginBetween(time_ns);
    case SL_STEP_BEGIN:
      state.epoch = record.epoch;
      state.step = record.step;
      return beginBetween(time_ns);
    case SL_STEP_END:
      ++state.steps_done;
      ++steps_in_epoch;
      return beginBetween(time_ns);
    case SL_BATCH:
      state.samples += static_cast<std::int64_t>(std::min(record.b, kMostSamples));
      return rate_.add(time_ns, static_cast<std::int64_t>(std::min(record.b, kMostSamples)));
    case SL_PHASE_BEGIN:
      return phaseBegin(record);
    case SL_PHASE_END:
      return phaseEnd(record);
    case SL_COLL_ENTER:
      return enter(record);
    case SL_COLL_LEAVE:
      return leave(record);
    default:
      return;
  }
}

void RankTracker::phaseBegin(const sl_record& record) {
  state.epoch = record.epoch;
  state.step = record.step;
  worked = true;
  phase_ = statusOf(record.op);
  phase_ns_ = timeOf(record);
}

void RankTracker::phaseEnd(const sl_record& record) {
  phase_ = RankStatus::Between;
  free_ns_ = timeOf(record);
  const std::int64_t duration = durationOf(record);
  const bool is_load = record.op == SL_PHASE_LOAD;
  if (!is_load && record.op != SL_PHASE_COMPUTE) return;
  worked = true;
  (is_load ? state.load_ns : state.compute_ns) += duration;
  (is_load ? load_ms : compute_ms).add(static_cast<double>(duration) / 1e6);
}

void RankTracker::enter(const sl_record& record) {
  const Operation operation = operationOf(record);
  std::erase_if(operations_, [&](const Operation& open) { return open.handle == operation.handle; });
  if (operations_.size() >= kMostOperations) operations_.erase(operations_.begin());
  const auto later = [](const Operation& a, const Operation& b) { return a.since_ns < b.since_ns; };
  operations_.insert(std::upper_bound(operations_.begin(), operations_.end(), operation, later), operation);
}

void RankTracker::leave(const sl_record& record) {
  const std::int64_t time_ns = timeOf(record);
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const Operation& open) { return open.handle == sl_handle(record.b); });
  const bool is_oldest = found == operations_.begin() && found != operations_.end();
  const bool is_shown = is_oldest && phase_ == RankStatus::Between;
  waits_from_ns_ = is_shown ? std::max(found->since_ns, free_ns_) : time_ns;
  if (found != operations_.end()) operations_.erase(found);
  if (is_oldest) free_ns_ = time_ns;
  worked = false;
  ++state.collectives;
  beginBetween(time_ns);
}

/// What it says is true even when records were lost: what is older than the oldest operation that it shows is over.
void RankTracker::slot(const sl_slot& slot) {
  const auto time_ns = static_cast<std::int64_t>(slot.time_ns);
  if (time_ns <= heard_ns_) return;
  if (state.status == RankStatus::Unheard) state.status = RankStatus::Between;
  heard_ns_ = time_ns;
  state.epoch = slot.epoch;
  state.step = slot.step;
  const auto since_ns = static_cast<std::int64_t>(std::min(slot.since_ns, slot.time_ns));
  const RankStatus before = phase_;
  phase_ = statusOf(slot.phase);
  if (phase_ != RankStatus::Between) phase_ns_ = since_ns;
  if (slot.op == SL_OP_NONE) {
    operations_.clear();
  } else {
    const Operation shown{static_cast<std::uint16_t>(slot.op), slot.group, slot.peer, slot.handle, slot.seq, since_ns};
    const auto found = std::find_if(operations_.begin(), operations_.end(),
                                    [&](const Operation& open) { return open.handle == shown.handle; });
    operations_.erase(operations_.begin(), found);
    if (operations_.empty()) operations_.push_back(shown);
  }
  const bool is_free = phase_ == RankStatus::Between && operations_.empty();
  if (is_free || before != RankStatus::Between) free_ns_ = since_ns;
}

void RankTracker::process(const RankProcess& process, std::int64_t time_ns) {
  state.pid = process.pid;
  if (!process.host.empty()) state.host = process.host;
  stopped_ = process.state == ProcessState::Stopped;
  stopped_ns_ = time_ns;
}

RankStatus RankTracker::status(const Ending& ending) const {
  switch (ending.how) {
    case RankEnd::SaidBye:
    case RankEnd::GaveUp:
      return RankStatus::Done;
    case RankEnd::Died:
      return RankStatus::Dead;
    case RankEnd::SentAway:
      return RankStatus::Ended;
    case RankEnd::NotYet:
      break;
  }
  if (stopped_) return RankStatus::Stopped;
  if (phase_ != RankStatus::Between) return phase_;
  return operations_.empty() ? state.status : RankStatus::InCollective;
}

std::int64_t RankTracker::since(RankStatus status, const Ending& ending) const {
  if (ending.how != RankEnd::NotYet) return ending.time_ns;
  if (status == RankStatus::Stopped) return stopped_ns_;
  if (status == RankStatus::InCollective) return std::max(operations_.front().since_ns, free_ns_);
  return phase_ != RankStatus::Between ? phase_ns_ : free_ns_;
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

RankState RankTracker::at(std::int64_t now_ns, std::int64_t begin_ns, const Ending& ending) const {
  RankState out = state;
  out.status = status(ending);
  out.since_ns = out.status == RankStatus::Unheard ? 0 : since(out.status, ending) - begin_ns;
  out.samples_per_s = out.status == RankStatus::Done ? 0 : rate_.perSecond(now_ns);
  out.open_operations = static_cast<std::int64_t>(operations_.size());
  if (!operations_.empty()) {
    out.operation = operations_.front();
    out.operation->since_ns -= begin_ns;
  }
  return out;
}

Lane RankTracker::lane(std::int64_t now_ns, std::int64_t begin_ns, const Ending& ending) const {
  Lane lane{state.rank, {}};
  lane.spans.reserve(spans_.size() + 1);
  for (Span span : spans_) {
    span.begin_ns -= begin_ns;
    span.end_ns -= begin_ns;
    lane.spans.push_back(span);
  }
  const RankStatus now = status(ending);
  const auto phase = phaseOf(now);
  const std::int64_t from_ns = since(now, ending);
  if (phase && now_ns > from_ns) {
    lane.spans.push_back({*phase, from_ns - begin_ns, now_ns - begin_ns, static_cast<std::int32_t>(state.epoch),
                          static_cast<std::int32_t>(state.step)});
  }
  return lane;
}

}  // namespace shardlens
