// SPDX-License-Identifier: Apache-2.0
#include "core/collect/trace_source.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/wire/group.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kMostAtOnce = 50'000;  ///< moments that one pull() hands on
constexpr std::size_t kMostLines = 200;

const char* stateName(traces::CallState state) {
  if (state == traces::CallState::Scheduled) return "scheduled";
  if (state == traces::CallState::Started) return "started";
  if (state == traces::CallState::Completed) return "completed";
  return "";
}

sl_record recordOf(std::uint16_t kind, std::int64_t ns) {
  sl_record record{};
  record.kind = kind;
  record.time_ns = static_cast<std::uint64_t>(ns);
  return record;
}

}  // namespace

TraceSource::TraceSource(traces::ForeignJob job) : job_(std::move(job)) {
  order();
  learnEnd();
}

/// Brings all times to the clock of the first rank, from the first moment on.
void TraceSource::order() {
  const auto bounds = traces::clockBounds(job_);
  std::size_t calls = 0;
  for (const traces::RankTrace& trace : job_.ranks) calls += trace.calls.size();
  moments_.reserve(2 * calls);
  for (std::size_t i = 0; i < job_.ranks.size(); ++i) {
    clock_error_ns_.push_back(bounds[i] ? bounds[i]->error_ns : -1);
    addMoments(static_cast<std::uint32_t>(i), bounds[i] ? bounds[i]->offset_ns : 0);
  }
  std::ranges::sort(moments_, [](const Moment& a, const Moment& b) {
    return std::tie(a.ns, a.trace, a.call) < std::tie(b.ns, b.trace, b.call);
  });
  if (moments_.empty()) return;
  first_ns_ = moments_.front().ns;
  for (Moment& moment : moments_) moment.ns -= first_ns_;
  last_ns_ = std::max(last_ns_ - first_ns_, moments_.back().ns);
}

/// A rank calls one operation after the other: a time that is missing is that of the one before.
void TraceSource::addMoments(std::uint32_t trace, std::int64_t offset_ns) {
  const auto& calls = job_.ranks[trace].calls;
  const auto told = std::ranges::find_if(calls, [](const auto& call) { return call.created_ns >= 0; });
  std::int64_t now_ns = told == calls.end() ? 0 : told->created_ns;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const traces::Call& call = calls[i];
    if (call.created_ns >= 0) now_ns = std::max(now_ns, call.created_ns);
    const auto place = static_cast<std::uint32_t>(2 * i);
    moments_.push_back({now_ns - offset_ns, trace, place});
    if (call.isOver()) moments_.push_back({std::max(now_ns, call.completed_ns) - offset_ns, trace, place + 1});
    // A call that its rank gave up has lasted that long.
    constexpr std::int64_t kNsInMs = 1'000'000;
    if (call.timeout_ms > 0 && call.created_ns >= 0)
      last_ns_ = std::max(last_ns_, call.created_ns - offset_ns + kNsInMs * call.timeout_ms);
  }
}

TracedCall TraceSource::told(const traces::Call& call) const {
  TracedCall out;
  out.operation = operationText({call.op, call.group, call.peer, 0, call.seq, 0});
  if (call.op == traces::kShownOnly) out.operation = operationName(call.op);
  out.operation += " #" + std::to_string(call.seq);
  const std::string& group = job_.groups[call.group].name;
  if (call.group != SL_WORLD) out.operation = filled(worded("verdicts", "%1 of group %2"), out.operation, group);
  out.state = stateName(call.state);
  out.code = job_.codes[call.code];
  return out;
}

void TraceSource::learnEnd() {
  auto end = std::make_shared<TraceEnd>();
  end->ranks.resize(static_cast<std::size_t>(job_.world_size));
  for (const traces::RankTrace& trace : job_.ranks) {
    if (trace.rank >= job_.world_size) continue;  // more than any job has
    TraceEnd::OfRank& of_rank = end->ranks[static_cast<std::size_t>(trace.rank)];
    of_rank.is_cut = trace.is_cut;
    if (trace.calls.empty()) continue;
    of_rank.newest = told(trace.calls.back());
    const auto open = std::ranges::find_if(trace.calls, [](const auto& call) { return !call.isOver(); });
    if (open != trace.calls.end()) of_rank.open = told(*open);
  }
  for (const traces::MissingRank& one : job_.missing) {
    if (one.rank < 0 || one.rank >= job_.world_size) continue;
    auto& lost = end->ranks[static_cast<std::size_t>(one.rank)].lost;
    lost = one.is_dead ? TraceEnd::Lost::Dead : TraceEnd::Lost::Silent;
  }
  end->source = job_.source;
  end->tells_times = job_.tells_times;
  end_ = std::move(end);
}

std::string TraceSource::note() const {
  return join(job_.notes, " ");
}

void TraceSource::add(EventSink& sink, std::uint32_t trace, const sl_record& record) const {
  const std::int64_t rank = job_.ranks[trace].rank;
  // The first trace has the clock that the others are compared with.
  sink.event({static_cast<std::int64_t>(record.time_ns), RankRecord{rank, record}, trace});
}

void TraceSource::begin(EventSink& sink) {
  RunBegin begin;
  begin.name = job_.name;
  begin.command = job_.source;
  begin.started_unix_ns = first_ns_ > 0 ? first_ns_ : 0;
  sink.event({0, std::move(begin)});
  for (std::uint32_t i = 1; i < job_.ranks.size(); ++i) {
    RunClock clock{i, job_.ranks[i].host, std::nullopt};
    if (clock_error_ns_[i] >= 0) clock.offset = ClockOffset{0, clock_error_ns_[i]};
    sink.event({0, std::move(clock)});
  }
  for (std::uint32_t i = 0; i < job_.ranks.size(); ++i) {
    const traces::RankTrace& trace = job_.ranks[i];
    sl_record hello = recordOf(SL_HELLO, 0);
    hello.a = static_cast<std::uint64_t>(std::max<std::int64_t>(trace.pid, 0));
    hello.b = static_cast<std::uint64_t>(job_.world_size);
    add(sink, i, hello);
    tellProcess(sink, trace.rank, trace.pid, trace.host);
  }
  for (const traces::MissingRank& one : job_.missing) tellProcess(sink, one.rank, one.pid, one.host);
  for (std::uint32_t group = 1; group < job_.groups.size(); ++group) tellGroup(sink, group);
}

/// Where the rank runs, for tables. That it runs, nothing says.
void TraceSource::tellProcess(EventSink& sink, std::int64_t rank, std::int64_t pid, const std::string& host) {
  if (!host.empty() || pid > 0)
    sink.event({0, RankProcess{rank, std::max<std::int64_t>(pid, 0), ProcessState::Running, host}});
}

/// By a member, which alone knows it.
void TraceSource::tellGroup(EventSink& sink, std::uint32_t group) {
  const traces::GroupFacts& facts = job_.groups[group];
  std::uint32_t teller = 0;
  while (facts.members && teller < job_.ranks.size() &&
         !std::binary_search(facts.members->begin(), facts.members->end(), job_.ranks[teller].rank))
    ++teller;
  if (teller == job_.ranks.size()) return;
  sl_record record{};
  if (facts.members) {
    const std::vector<std::uint32_t> members(facts.members->begin(), facts.members->end());
    sl_group_begin(&record, group, members.size());
    add(sink, teller, record);
    for (std::size_t first = 0; first < members.size();) {
      first += sl_group_members(&record, group, members.data(), first, members.size());
      add(sink, teller, record);
    }
  }
  for (std::size_t first = 0; first < facts.name.size();) {
    first += sl_group_name(&record, group, facts.name.c_str(), first);
    add(sink, teller, record);
  }
}

void TraceSource::add(EventSink& sink, const Moment& moment) const {
  const traces::Call& call = job_.ranks[moment.trace].calls[moment.call / 2];
  const bool is_end = moment.call % 2 == 1;
  sl_record record = recordOf(is_end ? SL_COLL_LEAVE : SL_COLL_ENTER, moment.ns);
  record.op = call.op;
  record.group = call.group;
  record.seq = call.seq;
  record.a = call.bytes;
  if (is_end) record.a = 0;
  record.b = sl_operation(moment.call / 2, call.peer);
  add(sink, moment.trace, record);
}

/// Where each rank stands, for the log; then the end, of which nothing else is known.
void TraceSource::finish(EventSink& sink) {
  sink.event({last_ns_, Tick{}});
  std::size_t lines = 0;
  for (const traces::RankTrace& trace : job_.ranks) {
    if (trace.rank >= job_.world_size) continue;
    const TraceEnd::OfRank& of_rank = end_->ranks[static_cast<std::size_t>(trace.rank)];
    const auto& call = of_rank.open ? of_rank.open : of_rank.newest;
    if (!call || ++lines > kMostLines) continue;
    LogLine line{trace.rank, false, call->operation + (call->state.empty() ? "" : ", " + call->state)};
    if (!call->code.empty()) line.text += ", " + call->code;
    sink.event({last_ns_, std::move(line)});
  }
  sink.event({last_ns_, RunEnd{JobStatus::Unknown, 0, {}}});
  has_ended_ = true;
}

bool TraceSource::pull(EventSink& sink) {
  if (has_ended_) return false;
  if (!has_begun_) begin(sink);
  const bool had_begun = std::exchange(has_begun_, true);
  constexpr std::size_t kLookAtStop = 256;
  const std::size_t from = next_;
  while (next_ < moments_.size() && next_ - from < kMostAtOnce) {
    if (until_ns_ >= 0 && moments_[next_].ns > until_ns_) return !had_begun || next_ > from;
    if (next_ % kLookAtStop == 0 && work_.stopped()) return !had_begun || next_ > from;
    add(sink, moments_[next_++]);
  }
  if (next_ == moments_.size() && (until_ns_ < 0 || last_ns_ <= until_ns_)) finish(sink);
  return true;
}

}  // namespace shardlens
