// SPDX-License-Identifier: Apache-2.0
// Where the code of ranks is: until when it is believed, and what is said of it.
#include "core/diagnose/rank_tracker.h"
#include "core/diagnose/reducer.h"
#include "core/diagnose/verdict_words.h"
#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

RankStack stackOf(std::int64_t rank, double ms, std::vector<StackFrame> frames) {
  RankStack stack;
  stack.rank = rank;
  stack.taken_ns = at(ms);
  stack.pid = 500 + rank;
  stack.frames = std::move(frames);
  return stack;
}

const StackFrame kMain{"main", "/home/me/train.py", 88, "for x in loader:", true};
const StackFrame kGet{"get", "/usr/lib/python3.11/queue.py", 113, "", false};
const StackFrame kItem{"Images.__getitem__", "/home/me/data.py", 41, "return open(path)", true};

/// Rank 1 of 2 loads since 20 ms, rank 0 waits for it.
std::vector<Event> loadingRun() {
  std::vector<Event> events = {begin(2)};
  for (const std::int64_t rank : {0, 1}) {
    events.push_back(record(1, rank, SL_STEP_BEGIN, {0, 0, 0}));
    events.push_back(record(10, rank, SL_STEP_END, {0, 0, 0}));
  }
  events.push_back(record(20, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 1}));
  events.push_back(record(20, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 1, 0, 0, sl_operation(1, SL_NO_PEER)}));
  return events;
}

RunState after(const std::vector<Event>& events) {
  Reducer reducer;
  for (const Event& event : events) reducer.apply(event);
  return reducer.snapshot();
}

const Verdict* stalled(const RunState& state) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [](const Verdict& verdict) { return verdict.kind == VerdictKind::Stalled; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

bool endsWith(const std::string& text, const std::string& end) {
  CAPTURE(text);
  return text.ends_with(end);
}

}  // namespace

TEST_CASE("a stall names the line at which the rank is, and where to look") {
  auto events = loadingRun();
  events.push_back({at(1500), stackOf(1, 1400, {kMain, kGet})});
  events.push_back({at(30'000), Tick{}});
  const RunState state = after(events);
  REQUIRE(state.ranks[1].stacks);
  CHECK(state.ranks[1].stacks->front().taken_ns == 1'400'000'000);
  CHECK(state.ranks[0].stacks == nullptr);
  REQUIRE(stalled(state) != nullptr);
  CHECK(endsWith(stalled(state)->message, " Rank 0 waits for it in all_reduce. Rank 1 is in main() at train.py:88."));
  CHECK(stalled(state)->next == "Look at train.py:88, where rank 1 is.");
  CHECK(stalled(state)->from_ns == state.ranks[1].since_ns);
  CHECK(stalled(state)->to_ns == state.elapsed_ns);
}

TEST_CASE(
    "a rank in a call of PyTorch that communicates without a record is not said to be the one that is waited for") {
  auto events = loadingRun();
  events[events.size() - 2] = record(20, 1, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 1});
  const StackFrame forward{"DistributedDataParallel._pre_forward",
                           "/opt/lib/python3.12/site-packages/torch/nn/parallel/distributed.py", 1584, "", false};
  events.push_back({at(1500), stackOf(1, 1400, {kMain, forward})});
  events.push_back({at(30'000), Tick{}});
  const RunState state = after(events);
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->rank == -1);
  CHECK(stalled(state)->title == "No rank makes progress; which one is late is unknown");
  CHECK(stalled(state)->message ==
        "Rank 1 may itself be waiting for others, in DistributedDataParallel._pre_forward(), where ShardLens does not "
        "see it. Rank 0 waits for it in all_reduce. Rank 1 is in main() at train.py:88.");
}

namespace {

const HandledException kRaised{"ValueError: no number", "/home/me/data.py", 7};
const StackFrame kDestroy{"destroy_process_group",
                          "/opt/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py", 2146, "", false};
const StackFrame kShutdown{"_shutdown_backend", kDestroy.file, 1180, "", false};
const StackFrame kGather{"gather_object", kDestroy.file, 3050, "", false};

/// Rank 1 of 2 computes since 20 ms, and its code is there; rank 0 waits for it.
std::vector<Event> computingRun(std::vector<StackFrame> frames, std::optional<HandledException> exception) {
  std::vector<Event> events = loadingRun();
  events[events.size() - 2] = record(20, 1, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 1});
  RankStack stack = stackOf(1, 1400, std::move(frames));
  stack.exception = std::move(exception);
  events.push_back({at(1500), stack});
  events.push_back({at(30'000), Tick{}});
  return events;
}

}  // namespace

TEST_CASE("a rank that raised and then ends its communication is the one that others wait for") {
  RunState state = after(computingRun({kMain, kDestroy, kShutdown}, kRaised));
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->ranks == std::vector<std::int64_t>{1});
  CHECK(stalled(state)->title == "Rank 1 raised an exception and has not ended");
  CHECK(stalled(state)->message ==
        "Rank 1 is in destroy_process_group() and has reported nothing for 30\u202fs. Rank 0 waits for it in "
        "all_reduce. Rank 1 is in main() at train.py:88. Rank 1 handles an exception (ValueError: no number), raised "
        "at data.py:7.");

  state = after(computingRun({kMain, kDestroy, kShutdown}, std::nullopt));
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->rank == 1);
  CHECK(stalled(state)->title == "Rank 1 makes no progress");

  state = after(computingRun({kMain, kGather}, kRaised));
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->rank == 1);
  CHECK(stalled(state)->title == "Rank 1 raised an exception and has not ended");
}

TEST_CASE("a program that does all of its work in an except block has not raised by that") {
  std::vector<Event> events = computingRun({kMain, kGather}, kRaised);
  RankStack stack = stackOf(0, 1400, {kMain});
  stack.exception = kRaised;
  events.insert(events.end() - 1, {at(1500), stack});
  const RunState state = after(events);
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->rank == -1);
}

TEST_CASE(
    "of ranks that no other is known to wait for, those that raised are blamed only when all others communicate") {
  std::vector<Event> events = {begin(2)};
  for (const std::int64_t rank : {0, 1}) {
    events.push_back(record(1, rank, SL_STEP_BEGIN, {0, 0, 0}));
    events.push_back(record(20, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 0}));
  }
  RankStack raised = stackOf(1, 1400, {kMain, kDestroy});
  raised.exception = kRaised;
  for (const auto& [frame, culprit] : {std::pair(kGather, 1), std::pair(kItem, 0)}) {
    std::vector<Event> all = events;
    all.push_back({at(1500), raised});
    all.push_back({at(1500), stackOf(0, 1400, {kMain, frame})});
    all.push_back({at(30'000), Tick{}});
    const RunState state = after(all);
    REQUIRE(stalled(state) != nullptr);
    CHECK(stalled(state)->ranks == std::vector<std::int64_t>{culprit});
  }
}

TEST_CASE("ranks in different collectives are named with the line of each") {
  std::vector<Event> events = loadingRun();
  events.push_back(record(30, 1, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 1, 0, 0, sl_operation(1, SL_NO_PEER)}));
  events.push_back({at(100), stackOf(0, 90, {kMain})});
  RankStack stack = stackOf(1, 90, {{"prepare", "/home/me/train.py", 93, "dist.barrier()", true}});
  stack.exception = HandledException{"ValueError: no number", "/home/me/data.py", 7};
  events.push_back({at(100), stack});
  const RunState state = after(events);
  REQUIRE(!state.verdicts.empty());
  CHECK(state.verdicts[0].title == "Ranks are in different collectives");
  CHECK(endsWith(state.verdicts[0].message,
                 " Rank 0 is in main() at train.py:88. Rank 1 is in prepare() at train.py:93. Rank 1 handles an "
                 "exception (ValueError: no number), raised at data.py:7."));
}

TEST_CASE("a stall without calls says what it said before") {
  auto events = loadingRun();
  events.push_back({at(30'000), Tick{}});
  const RunState state = after(events);
  REQUIRE(stalled(state) != nullptr);
  CHECK(endsWith(stalled(state)->message, " Rank 0 waits for it in all_reduce."));
  CHECK(stalled(state)->next.starts_with("See where it hangs: gdb -p "));
}

TEST_CASE("a rank that stalls before its first step is said to load, not to be outside of everything") {
  std::vector<Event> events = {begin(2)};
  std::get<RunBegin>(events[0].what).planned_steps = 0;
  events.push_back(record(20, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD}));
  events.push_back(record(20, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER)}));
  events.push_back({at(30'000), Tick{}});
  const RunState state = after(events);
  REQUIRE(stalled(state) != nullptr);
  CHECK(stalled(state)->message == "Rank 1 has been loading for 30\u202fs. Rank 0 waits for it in all_reduce.");
}

TEST_CASE("a rank that waits for its loader: the worker that has the batch, and what it reads") {
  auto events = loadingRun();
  RankStack own = stackOf(1, 1400, {kMain, kGet});
  own.owed_by = 3;
  own.owed_by_pid = 903;
  RankStack worker = stackOf(1, 1300, {kGet, kItem});
  worker.worker = 3;
  worker.pid = 903;
  RankStack other = worker;
  other.worker = 2;
  other.pid = 902;
  other.sample = 7;
  for (const RankStack& stack : {other, worker, own}) events.push_back({at(1500), stack});
  const std::string before =
      " Rank 1 is in main() at train.py:88. Its loader worker 3, which has the batch that it waits for, ";
  events.push_back({at(30'000), Tick{}});
  RunState state = after(events);
  CHECK(endsWith(stalled(state)->message, before + "is in Images.__getitem__() at data.py:41."));
  CHECK(stalled(state)->next == "Look at data.py:41, where worker 3 of rank 1 is.");
  REQUIRE(state.ranks[1].stacks->size() == 3);
  CHECK_FALSE(state.ranks[1].stacks->front().worker);
  CHECK(state.ranks[1].stacks->back().worker == 3);

  std::get<RankStack>(events[events.size() - 3].what).sample = 40771;
  state = after(events);
  CHECK(endsWith(stalled(state)->message, before + "reads sample 40771 in Images.__getitem__() at data.py:41."));

  std::get<RankStack>(events[events.size() - 3].what).pid = 904;  // a worker with this number of another loader
  state = after(events);
  CHECK(endsWith(stalled(state)->message,
                 " Rank 1 is in main() at train.py:88. Its loader worker 3 has the batch that it waits for."));
  CHECK(stalled(state)->next == "Look at train.py:88, where rank 1 is.");
}

TEST_CASE("calls are believed until the rank reports something, and newer ones replace them") {
  auto events = loadingRun();
  events.push_back({at(1500), stackOf(1, 1400, {kMain, kGet})});
  events.push_back({at(1700), stackOf(1, 1600, {kMain})});
  CHECK(after(events).ranks[1].stacks->size() == 1);
  CHECK(after(events).ranks[1].stacks->front().frames.size() == 1);
  events.push_back(record(1800, 1, SL_PHASE_END, {SL_PHASE_LOAD, 0, 1, 0, 1'780'000'000}));
  CHECK(after(events).ranks[1].stacks == nullptr);
  events.push_back({at(1900), stackOf(1, 1700, {kMain})});  // read before that
  CHECK(after(events).ranks[1].stacks == nullptr);
  events.push_back({at(3000), stackOf(7, 2900, {kMain})});  // no rank of this job
  CHECK(after(events).ranks[1].stacks == nullptr);
}

TEST_CASE("calls of a loader worker are believed until it withdraws them") {
  auto events = loadingRun();
  RankStack worker = stackOf(1, 1300, {kItem});
  worker.worker = 0;
  RankStack other = worker;  // a worker with this number of another loader
  other.pid = 777;
  events.push_back({at(1500), worker});
  events.push_back({at(1500), other});
  events.push_back(record(1800, 1, SL_PHASE_END, {SL_PHASE_LOAD, 0, 1, 0, 1'780'000'000}));
  REQUIRE(after(events).ranks[1].stacks);
  CHECK(after(events).ranks[1].stacks->size() == 2);
  worker.frames.clear();
  worker.taken_ns = at(1900);
  events.push_back({at(1900), worker});
  REQUIRE(after(events).ranks[1].stacks);
  CHECK(after(events).ranks[1].stacks->front().pid == 777);
  other.frames.clear();
  events.push_back({at(1900), other});
  CHECK(after(events).ranks[1].stacks == nullptr);
}

TEST_CASE("without code of its own the innermost call is the place") {
  CHECK(placeIn(stackOf(0, 0, {})) == nullptr);
  CHECK(placeIn(stackOf(0, 0, {kMain, kGet}))->function == "main");
  CHECK(placeIn(stackOf(0, 0, {kGet}))->function == "get");
  CHECK(words::placeText({"<module>", "/home/me/train.py", 12, "", true}) == "at train.py:12");
  CHECK(words::placeText(kItem) == "in Images.__getitem__() at data.py:41");
  RankState rank;
  CHECK(words::whereItIs(rank).empty());
  CHECK(words::lookThere(rank).empty());
  CHECK(owingStack(rank) == nullptr);
}

namespace {

const StackFrame kAugment{"augment", "/home/me/train.py", 57, "", true};

/// A step in which all ranks compute for a while, and one of them longer.
struct LongStep {
  double ordinary_ms = 10;
  double late_ms = 3000;
  std::int64_t samples = 11;  ///< of the late rank
  std::int64_t there = 10;    ///< of them at one line
};

/// Four ranks, of which rank 2 is late in step 20, and is sampled meanwhile. As in a recording, that is told a second
/// after its last record, and completed when it goes on.
std::vector<Event> lateOnce(const LongStep& is, bool is_completed = true) {
  std::vector<Event> events = {begin(4)};
  double from = 0;
  for (int step = 0; step < 40; ++step) {
    const double ordinary = step == 20 ? is.ordinary_ms : 10;
    const double late = step == 20 ? is.late_ms : 0;
    const double release = from + ordinary + late + 15;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const bool is_late = step == 20 && rank == 2;
      const auto place = static_cast<std::ptrdiff_t>(events.size());
      addStep(events, rank, static_cast<std::uint64_t>(step), from, 5, is_late ? ordinary + late : ordinary, release);
      if (!is_late) continue;
      RankStack told = stackOf(2, from + 1100, {kMain, kAugment});
      told.quiet = {at(from + 100), 4, 4, kAugment};
      events.insert(events.begin() + place + 5, Event{at(from + 1150), told});  // after it began to compute
      RankStack completed = stackOf(2, from + ordinary + late - 110, {});
      completed.quiet = {at(from + 100), is.samples, is.there, kAugment};
      if (is_completed) events.push_back({at(from + ordinary + late + 90), completed});
    }
    from = release + 5;
  }
  return events;
}

const Verdict* pausedIn(const RunState& state) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [](const Verdict& verdict) { return verdict.kind == VerdictKind::Paused; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a wait for one rank names the line at which most samples found it, and keeps the other advice") {
  const RunState state = after(lateOnce({}));
  REQUIRE(pausedIn(state) != nullptr);
  CHECK(pausedIn(state)->rank == 2);
  CHECK(endsWith(pausedIn(state)->message,
                 " In 10 of 11 samples of its code, taken while it reported nothing, rank 2 was in augment() at "
                 "train.py:57."));
  CHECK(pausedIn(state)->next == "Look at train.py:57, where rank 2 was. Seek to that moment and look at its lane.");
  CHECK(pausedIn(state)->line == SampledLine{kAugment, 10, 11});
}

TEST_CASE("a wait for one rank names no line where few samples were taken, or half of them are elsewhere") {
  for (const auto& events : {lateOnce({10, 3000, 11, 5}), lateOnce({10, 5000, 4, 4}), lateOnce({}, false)}) {
    const RunState state = after(events);
    REQUIRE(pausedIn(state) != nullptr);
    CHECK_FALSE(pausedIn(state)->line);
    CHECK(pausedIn(state)->next == "Seek to that moment and look at its lane.");
  }
}

TEST_CASE("a line at which the rank may have done what the others do as long is not blamed for the wait") {
  for (const std::int64_t there : {4, 5, 7}) {
    const RunState state = after(lateOnce({900, 1150, 7, there}));
    REQUIRE(pausedIn(state) != nullptr);
    CHECK(pausedIn(state)->line.has_value() == (there == 7));
  }
}

TEST_CASE("samples of a time that is much longer than the wait name no line") {
  auto events = lateOnce({});
  for (Event& event : events) {
    if (auto* stack = std::get_if<RankStack>(&event.what)) stack->quiet->since_ns -= 8'000'000'000;
  }
  const RunState state = after(events);
  REQUIRE(pausedIn(state) != nullptr);
  CHECK_FALSE(pausedIn(state)->line);
}

TEST_CASE("samples are kept of a rank that waits for nobody, those of the times that have most") {
  RankTracker tracker(1, 32);
  const auto hear = [&tracker](const Event& event) { tracker.record(std::get<RankRecord>(event.what).record); };
  const auto tell = [&tracker](double taken, std::int64_t samples) {
    RankStack stack = stackOf(1, taken, {kMain});
    stack.quiet = {at(taken - 1000), samples, 1, kMain};
    tracker.stack(stack, stack.taken_ns, kStart);
  };
  hear(record(20, 1, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 1, 0, 0, sl_operation(1, SL_NO_PEER)}));
  tell(1100, 5);
  CHECK(tracker.quiet().empty());
  hear(record(2000, 1, SL_COLL_LEAVE, {SL_OP_ALLREDUCE, 0, 1, 0, 0, sl_operation(1, SL_NO_PEER)}));
  tell(1500, 5);  // read before that
  CHECK(tracker.quiet().empty());
  for (int i = 0; i < 40; ++i) tell(3000 + 2000 * i, i == 3 ? 1 : 5);
  CHECK(tracker.quiet().size() == 32);
  CHECK(std::all_of(tracker.quiet().begin(), tracker.quiet().end(),
                    [](const QuietTime& one) { return one.seen.samples == 5; }));
  CHECK(tracker.quiet().back().time == Interval{at(80'000), at(81'000)});
}
