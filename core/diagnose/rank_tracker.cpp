// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace shardlens {

bool EventClock::bring(std::uint64_t& time_ns) const {
  if (time_ns >= static_cast<std::uint64_t>(kLatestNs)) return false;
  const std::int64_t brought = static_cast<std::int64_t>(time_ns) + shift_ns;
  if (brought < 0 || brought >= kLatestNs) return false;
  time_ns = static_cast<std::uint64_t>(brought);
  return true;
}

void ClockTable::learn(const RunClock& clock) {
  if (clock.clock == 0 || !clock.offset) return;
  const auto [offset_ns, error_ns] = *clock.offset;
  if (offset_ns <= -kLatestNs || offset_ns >= kLatestNs || error_ns < 0) return;
  Clock& known = clocks_[clock.clock];
  known.shift_ns = -offset_ns;
  known.error_ns = error_ns;
  known.is_known = true;
}

EventClock ClockTable::at(std::uint32_t clock, std::int64_t time_ns, std::int64_t now_ns) {
  if (clock == 0) return {};
  Clock& one = clocks_[clock];
  if (time_ns < 0 || time_ns >= kLatestNs) return {one.is_known ? 0 : clock, one.shift_ns};
  if (!one.is_used && !one.is_known) one.shift_ns = now_ns - time_ns;
  one.is_used = true;
  return {one.is_known ? 0 : clock, one.shift_ns};
}

std::optional<double> ClockTable::errorUs() const {
  std::int64_t worst_ns = 0;
  std::int64_t second_ns = 0;
  for (const auto& [number, clock] : clocks_) {
    if (!clock.is_used) continue;
    if (!clock.is_known) return std::nullopt;
    second_ns = std::max(second_ns, std::min(worst_ns, clock.error_ns));
    worst_ns = std::max(worst_ns, clock.error_ns);
  }
  return static_cast<double>(worst_ns + second_ns) / 1000;
}

namespace {

/// Loaders of the designed size in one rank. A search over many trainings forgets those that differ.
constexpr std::size_t kMostLoaders = 32;

/// No batch has more samples; a damaged number must not overflow the sums.
constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 32;
/// More are not kept: what is open at the same time is a handful.
constexpr std::size_t kMostOperations = 4096;
/// Stretches of open operations that are kept; one is usual.
constexpr std::size_t kMostAlone = 256;
constexpr std::size_t kMostSpans = 200'000;  ///< of all ranks
/// Of a rank and its loader workers.
constexpr std::size_t kMostStacks = 64;
constexpr std::size_t kMostQuiet = 32;  ///< times without a record, of a rank

std::int64_t timeOf(const sl_record& record) {
  return static_cast<std::int64_t>(record.time_ns);
}

/// Loading, Computing, or Between for whatever is no phase of work.
RankStatus statusOf(std::uint32_t phase) {
  if (phase == SL_PHASE_LOAD) return RankStatus::Loading;
  return phase == SL_PHASE_COMPUTE ? RankStatus::Computing : RankStatus::Between;
}

}  // namespace

DrawnTally::Loader& DrawnTally::loaderOf(std::int64_t number) {
  const auto known = std::ranges::find_if(loaders_, [number](const Loader& one) { return one.number == number; });
  if (known != loaders_.end()) {
    loaders_.splice(loaders_.begin(), loaders_, known);
    return loaders_.front();
  }
  if (loaders_.size() >= kMostLoaders) {
    const auto differs =
        std::find_if(loaders_.rbegin(), loaders_.rend(), [](const Loader& one) { return one.counts.mismatched > 0; });
    loaders_.erase(differs == loaders_.rend() ? std::prev(loaders_.end()) : std::prev(differs.base()));
  }
  return loaders_.emplace_front(Loader{number, batches_ + 1});
}

void DrawnTally::add(const Batch& batch) {
  Loader& loader = loaderOf(batch.loader);
  loader.drew = ++batches_;
  Passes& passes = loader.epochs[batch.epoch];
  if (passes.latest.number != batch.pass) passes.latest = Pass{batch.pass};
  ++(batch.matches ? passes.latest.matched : passes.latest.mismatched);
  Counts& counts = loader.counts;
  if (passes.latest.number == passes.longest.number || passes.latest.batches() > passes.longest.batches()) {
    counts.matched += passes.latest.matched - passes.longest.matched;
    counts.mismatched += passes.latest.mismatched - passes.longest.mismatched;
    passes.longest = passes.latest;
  }
  const std::pair here{batch.epoch, batch.step};
  if (!batch.matches) counts.first_difference = std::min(here, counts.first_difference.value_or(here));
}

const DrawnTally::Loader& DrawnTally::chosen() const {
  const Loader* best = &loaders_.front();
  const auto rank = [](const Loader& one) {
    const Counts& counts = one.counts;
    const std::int64_t all = std::max<std::int64_t>(1, counts.matched + counts.mismatched);
    return std::tuple(counts.mismatched == 0, static_cast<double>(counts.matched) / static_cast<double>(all), all);
  };
  for (const Loader& one : loaders_) {
    if (rank(one) > rank(*best)) best = &one;
  }
  // A look at a few batches as planned, before the training, excuses no other loader.
  constexpr std::int64_t kMuchLonger = 8;
  const Loader& last = loaders_.front();
  const bool is_look = best->drew < last.began && best->counts.matched * kMuchLonger < last.counts.mismatched;
  return is_look ? last : *best;
}

DrawnTally::Counts DrawnTally::counts() const {
  if (loaders_.empty()) return {};
  Counts counts = chosen().counts;
  counts.loader = chosen().number;
  if (counts.mismatched == 0) counts.first_difference.reset();
  return counts;
}

std::size_t spansKept(std::int64_t ranks) {
  return std::clamp<std::size_t>(kMostSpans / static_cast<std::size_t>(std::max<std::int64_t>(1, ranks)), 32, 20'000);
}

RankTracker::RankTracker(std::int64_t rank, std::size_t most_spans) : most_spans_(most_spans) {
  state.rank = rank;
}

void RankTracker::beginBetween(std::int64_t time_ns) {
  if (phase_ == RankStatus::Between && operations_.empty()) free_ns_ = time_ns;
}

void RankTracker::lose(std::int64_t now_ns) {
  state.has_gaps = true;
  const bool is_doubted = doubtful_ > 0 || is_phase_doubtful_;
  if (!is_doubted) doubted_ns_ = now_ns;
  doubtful_ = operations_.size();
  is_phase_doubtful_ = phase_ != RankStatus::Between;
}

/// A rank that does something new has left what it was in before records of it were lost. An operation that went on
/// beside that says so itself, when it ends.
void RankTracker::goOn(const sl_record& record) {
  if (record.kind == SL_COLL_LEAVE) return;
  operations_.erase(operations_.begin(), operations_.begin() + static_cast<std::ptrdiff_t>(doubtful_));
  doubtful_ = 0;
  if (std::exchange(is_phase_doubtful_, false) && record.kind != SL_PHASE_END) {
    phase_ = RankStatus::Between;
    free_ns_ = timeOf(record);
  }
}

void RankTracker::hear(std::int64_t time_ns) {
  if (state.status == RankStatus::Unheard) state.status = RankStatus::Between;
  heard_ns_ = std::max(heard_ns_, time_ns);
  if (state.stacks && !state.stacks->front().worker) keepStacksOfWorkers();
}

/// Workers read ahead while their rank goes on; what they do is withdrawn by themselves.
void RankTracker::keepStacksOfWorkers() {
  auto stacks = *state.stacks;
  std::erase_if(stacks, [](const RankStack& stack) { return !stack.worker; });
  state.stacks = stacks.empty() ? nullptr : std::make_shared<const std::vector<RankStack>>(std::move(stacks));
}

/// What is told once the rank goes on completes what it was told before: only that shows what the rank was in.
void RankTracker::keepQuiet(const QuietSamples& seen, const Interval& time) {
  const auto known =
      std::ranges::find_if(quiet_, [&](const QuietTime& one) { return one.seen.since_ns == seen.since_ns; });
  if (known != quiet_.end()) {
    *known = {time, seen};
    return;
  }
  if (time.to_ns < heard_ns_ || isBlocked()) return;
  const auto fewer = [](const QuietTime& a, const QuietTime& b) { return a.seen.samples < b.seen.samples; };
  if (quiet_.size() >= kMostQuiet) quiet_.erase(std::ranges::min_element(quiet_, fewer));
  quiet_.push_back({time, seen});
}

void RankTracker::stack(RankStack stack, std::int64_t time_ns, std::int64_t begin_ns) {
  if (const auto& seen = stack.quiet; seen && !stack.worker)
    keepQuiet(*seen, {time_ns - (stack.taken_ns - seen->since_ns), time_ns});
  if (!stack.worker && time_ns < heard_ns_) return;
  stack.taken_ns = time_ns - begin_ns;
  auto stacks = state.stacks ? *state.stacks : std::vector<RankStack>();
  std::erase_if(stacks, [&](const RankStack& old) {
    return old.worker == stack.worker && (!old.worker || old.pid == stack.pid);  // of several loaders
  });
  const auto later = [](const RankStack& a, const RankStack& b) { return a.worker < b.worker; };
  if (!stack.frames.empty() && stacks.size() < kMostStacks)
    stacks.insert(std::upper_bound(stacks.begin(), stacks.end(), stack, later), std::move(stack));
  state.stacks = stacks.empty() ? nullptr : std::make_shared<const std::vector<RankStack>>(std::move(stacks));
}

void RankTracker::record(const sl_record& record) {
  const std::int64_t time_ns = timeOf(record);
  hear(time_ns);
  is_slot_ahead_ = false;
  if (counts_each_kind && record.kind == SL_COLL_ENTER && numbers_.leavesOut(record)) lose(time_ns);
  goOn(record);
  switch (record.kind) {
    case SL_HELLO:
      state.pid = static_cast<std::int64_t>(record.a);
      says_bye = says_bye || record.op == SL_ENDS_SAYING_SO;
      return beginBetween(time_ns);
    case SL_EPOCH_BEGIN:
      state.epoch = record.epoch;
      state.step = 0;
      steps_in_epoch = 0;
      epoch_of_steps = record.epoch;
      ran_out = false;
      is_between_steps = false;
      return beginBetween(time_ns);
    case SL_EPOCH_END:
      epoch_of_steps = record.epoch;
      ran_out = true;
      return beginBetween(time_ns);
    case SL_STEP_BEGIN:
      state.epoch = record.epoch;
      state.step = record.step;
      is_between_steps = false;
      return beginBetween(time_ns);
    case SL_STEP_END:
      ++state.steps_done;
      ++steps_in_epoch;
      is_between_steps = true;
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

/// From here on the rank is in something else beside its oldest operation, or instead of it.
void RankTracker::endAlone(std::int64_t time_ns) {
  if (phase_ != RankStatus::Between || operations_.empty()) return;
  const std::int64_t from_ns = std::max(operations_.front().since_ns, free_ns_);
  if (from_ns >= time_ns) return;
  if (alone_so_far_.size() >= kMostAlone) alone_so_far_.erase(alone_so_far_.begin());
  alone_so_far_.push_back({operations_.front().handle, {from_ns, time_ns}});
}

void RankTracker::phaseBegin(const sl_record& record) {
  state.epoch = record.epoch;
  state.step = record.step;
  worked = true;
  ++works_;
  if (started_ns < 0) started_ns = timeOf(record);
  is_between_steps = false;
  endAlone(timeOf(record));
  phase_ = statusOf(record.op);
  phase_ns_ = timeOf(record);
}

void RankTracker::phaseEnd(const sl_record& record) {
  phase_ = RankStatus::Between;
  free_ns_ = timeOf(record);
  // As the record says, but never longer than the clock ran.
  const auto duration = static_cast<std::int64_t>(std::min(record.a, record.time_ns));
  const bool is_load = record.op == SL_PHASE_LOAD;
  if (!is_load && record.op != SL_PHASE_COMPUTE) return;
  worked = true;
  ++works_;
  (is_load ? state.load_ns : state.compute_ns) += duration;
  // Operations may cut it into pieces.
  const Place here{record.epoch, record.step};
  const bool is_same = std::exchange(is_load ? loaded_in_ : computed_in_, here) == here;
  RecentValues& values = is_load ? load_ms : compute_ms;
  is_same ? values.addToLast(static_cast<double>(duration) / 1e6) : values.add(static_cast<double>(duration) / 1e6);
}

void RankTracker::enter(const sl_record& record) {
  const Operation operation = operationOf(record);
  uses_device = uses_device || operation.isOnDevice();
  // What it did before this collective is no work before another one that it comes to meanwhile.
  const bool is_pair = isPointToPoint(record.op);
  worked = (is_pair && worked) || phase_ != RankStatus::Between;
  if (isBusy(operation.since_ns)) ++works_;
  if (!is_pair) works_at_[record.group] = works_;
  std::erase_if(operations_, [&](const Operation& open) { return open.handle == operation.handle; });
  std::erase_if(alone_so_far_, [&](const Alone& one) { return one.handle == operation.handle; });
  if (operations_.size() >= kMostOperations) operations_.erase(operations_.begin());
  const auto later = [](const Operation& a, const Operation& b) { return a.since_ns < b.since_ns; };
  operations_.insert(std::upper_bound(operations_.begin(), operations_.end(), operation, later), operation);
}

/// A phase that began after the operation was over may have been told before it: what counts is the time of the end.
void RankTracker::leave(const sl_record& record) {
  const std::int64_t time_ns = timeOf(record);
  const auto found =
      std::ranges::find_if(operations_, [&](const Operation& open) { return open.handle == sl_handle(record.b); });
  const bool is_known = found != operations_.end();
  alone_.clear();
  for (const Alone& one : alone_so_far_) {
    if (one.handle == sl_handle(record.b) && one.time.from_ns < time_ns)
      alone_.push_back({one.time.from_ns, std::min(one.time.to_ns, time_ns)});
  }
  std::erase_if(alone_so_far_, [&](const Alone& one) { return one.handle == sl_handle(record.b); });
  // Of one whose beginning was lost, or doubted, the other ranks' records tell the rest.
  const bool is_oldest = is_known ? found == operations_.begin() : operations_.empty();
  const std::int64_t from_ns = is_known ? std::max(found->since_ns, free_ns_) : free_ns_;
  if (is_oldest && phase_ == RankStatus::Between && from_ns < time_ns) alone_.push_back({from_ns, time_ns});
  if (is_known) forget(static_cast<std::size_t>(found - operations_.begin()));
  if (is_oldest) free_ns_ = std::max(free_ns_, time_ns);
  worked = false;
  if (!isPointToPoint(record.op)) works_at_[record.group] = works_;
  ++state.collectives;
}

void RankTracker::forget(std::size_t operation) {
  operations_.erase(operations_.begin() + static_cast<std::ptrdiff_t>(operation));
  if (operation < doubtful_) --doubtful_;
}

/// What it says is true even when records were lost: what is older than the oldest operation that it shows is over.
void RankTracker::slot(const sl_slot& slot) {
  const auto time_ns = static_cast<std::int64_t>(slot.time_ns);
  if (time_ns <= heard_ns_) return;
  hear(time_ns);
  is_slot_ahead_ = true;
  is_between_steps = is_between_steps && slot.step == state.step && statusOf(slot.phase) == RankStatus::Between;
  state.epoch = slot.epoch;
  state.step = slot.step;
  const auto since_ns = static_cast<std::int64_t>(std::min(slot.since_ns, slot.time_ns));
  const RankStatus before = phase_;
  endAlone(since_ns);  // the record of its end may still be in the ring
  phase_ = statusOf(slot.phase);
  if (phase_ != RankStatus::Between) phase_ns_ = since_ns;
  doubtful_ = 0;
  is_phase_doubtful_ = false;
  if (slot.op == SL_OP_NONE) {
    operations_.clear();
  } else {
    const Operation shown{static_cast<std::uint16_t>(slot.op), slot.group, slot.peer, slot.handle, slot.seq, since_ns};
    const auto found =
        std::ranges::find_if(operations_, [&](const Operation& open) { return open.handle == shown.handle; });
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

bool RankTracker::isBusy(std::int64_t time_ns) const {
  constexpr std::int64_t kWorkNs = 50'000;
  return phase_ == RankStatus::Between && operations_.empty() && time_ns - free_ns_ >= kWorkNs;
}

bool RankTracker::wasBusy(std::uint32_t group, std::int64_t time_ns) const {
  const auto before = works_at_.find(group);
  const bool has_worked = before == works_at_.end() ? works_ > 0 : works_ != before->second;
  return has_worked || phase_ != RankStatus::Between || isBusy(time_ns);
}

RankStatus RankTracker::status(const Ending& ending) const {
  switch (ending.how) {
    case RankEnd::SaidBye:
      return RankStatus::Done;
    case RankEnd::Died:
      return RankStatus::Dead;
    case RankEnd::GaveUp:
    case RankEnd::SentAway:
    case RankEnd::Unsaid:
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
  out.is_measured = state.status != RankStatus::Unheard;
  out.since_ns = out.status == RankStatus::Unheard ? 0 : since(out.status, ending) - begin_ns;
  out.samples_per_s = out.status == RankStatus::Done ? 0 : rate_.perSecond(now_ns);
  out.open_operations = static_cast<std::int64_t>(operations_.size());
  if (!operations_.empty()) {
    out.operation = operations_.front();
    out.operation->since_ns -= begin_ns;
  }
  return out;
}

std::optional<RankTracker::Open> RankTracker::open(std::int64_t now_ns, const Ending& ending) const {
  if (state.status == RankStatus::Unheard || ending.how == RankEnd::SaidBye) return std::nullopt;
  const bool is_in_phase = phase_ != RankStatus::Between;
  if (phase_ == RankStatus::Computing && ending.how != RankEnd::NotYet) return std::nullopt;
  if (!is_in_phase && operations_.empty()) return std::nullopt;
  const std::int64_t from_ns = is_in_phase ? phase_ns_ : std::max(operations_.front().since_ns, free_ns_);
  std::int64_t to_ns = ending.how == RankEnd::NotYet ? now_ns : ending.time_ns;
  if (stopped_) to_ns = std::min(to_ns, stopped_ns_);
  if (is_in_phase ? is_phase_doubtful_ : doubtful_ > 0) to_ns = std::min(to_ns, doubted_ns_);
  if (to_ns <= from_ns) return std::nullopt;
  return Open{is_in_phase ? phase_ : RankStatus::InCollective, {from_ns, to_ns}};
}

Lane RankTracker::lane(std::int64_t begin_ns) const {
  Lane lane{state.rank, {}};
  lane.spans.reserve(spans_.size() + 2);
  for (Span span : spans_) {
    span.begin_ns -= begin_ns;
    span.end_ns -= begin_ns;
    lane.spans.push_back(span);
  }
  return lane;
}

bool OperationNumbers::leavesOut(const sl_record& enter) {
  if (enter.op >= SL_OP_SEND) return false;
  std::uint64_t& next = next_[{enter.group, enter.op}];
  const bool is_left_out = enter.seq > next;
  next = std::max(next, enter.seq + 1);
  return is_left_out;
}

}  // namespace shardlens
