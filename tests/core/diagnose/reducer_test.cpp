// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/reducer.h"

#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

TEST_CASE("time in a collective is waiting until the last rank has come, and transfer after that") {
  std::vector<Event> events = {begin(2)};
  addStep(events, 0, 0, 0, 5, 5, 32);
  addStep(events, 1, 0, 0, 20, 10, 33);
  const RunState state = stateAfter(events);
  CHECK(state.status == JobStatus::Running);
  CHECK(state.ranks[0].wait_ns == 20'000'000);
  CHECK(state.ranks[0].transfer_ns == 2'000'000);
  CHECK(state.ranks[1].wait_ns == 0);
  CHECK(state.ranks[1].transfer_ns == 3'000'000);
  CHECK(state.ranks[1].load_ns == 20'000'000);
  CHECK(state.ranks[1].compute_ns == 10'000'000);
  CHECK(state.ranks[0].steps_done == 1);
  CHECK(state.ranks[0].samples == 4);
  CHECK(state.ranks[0].collectives == 1);
  CHECK(state.elapsed_ns == 33'000'000);
  REQUIRE(state.arrivals.size() == 2);
  CHECK(state.arrivals[1].last_in == 1);
  CHECK(state.arrivals[1].median_ms == doctest::Approx(20));
}

TEST_CASE("inside a collective that all have reached a rank does not wait for others") {
  std::vector<Event> events = {begin(2)};
  for (const std::int64_t rank : {0, 1})
    events.push_back(record(rank == 0 ? 10 : 30, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 0, 0}));
  events.push_back({at(100), Tick{}});
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].wait_ns == 20'000'000);
  CHECK(state.ranks[0].transfer_ns == 70'000'000);
  CHECK(state.ranks[1].wait_ns == 0);
}

TEST_CASE("the recent timeline shows every phase once, in order, with the split of the collective") {
  std::vector<Event> events = {begin(2)};
  addStep(events, 0, 0, 0, 5, 5, 32);
  addStep(events, 1, 0, 0, 20, 10, 33);
  events.push_back(record(40, 0, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 1}));
  events.push_back({at(44), Tick{}});
  const Timeline timeline = stateAfter(events).recent;
  REQUIRE(timeline.lanes.size() == 2);
  const std::vector<Phase> expected = {Phase::Load, Phase::Compute, Phase::Wait, Phase::Transfer, Phase::Load};
  REQUIRE(timeline.lanes[0].spans.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(timeline.lanes[0].spans[i].phase == expected[i]);
  CHECK(timeline.lanes[0].spans[2].begin_ns == 10'000'000);
  CHECK(timeline.lanes[0].spans[2].end_ns == 30'000'000);
  CHECK(timeline.lanes[0].spans[4].end_ns == 44'000'000);
  for (const Lane& lane : timeline.lanes) {
    for (std::size_t i = 1; i < lane.spans.size(); ++i) CHECK(lane.spans[i].begin_ns >= lane.spans[i - 1].end_ns);
  }
}

TEST_CASE("a rank that ended while it computed is not said to have computed until then") {
  std::vector<Event> events = {begin(2)};
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    addStep(events, rank, 0, 10, 5, 10, 30);
    events.push_back(record(40, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 1}));
  }
  events.push_back({at(2000), Tick{}});
  CHECK(stateAfter(events).ranks[0].compute_ns == 1'970'000'000);
  events.push_back(record(2000, 0, SL_BYE, {0, 0, 1}));
  events.push_back({at(2000), RankProcess{1, 78, ProcessState::Gone, "here"}});
  for (const RankState& rank : stateAfter(events).ranks) CHECK(rank.compute_ns == 10'000'000);
}

TEST_CASE("spans are handed out as they become final") {
  std::int64_t wait_ns = 0;
  Reducer reducer({}, [&wait_ns](std::int64_t rank, const Span& span) {
    if (rank == 0 && span.phase == Phase::Wait) wait_ns += span.end_ns - span.begin_ns;
  });
  for (const Event& event : slowRun(3)) reducer.apply(event);
  CHECK(wait_ns == 90'000'000);
}

TEST_CASE("who everybody waits for is known while they wait, and what each rank does") {
  std::vector<Event> events = {begin(3)};
  for (const std::int64_t rank : {0, 2}) {
    events.push_back(record(10, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 4, 0}));
  }
  events.push_back(record(3, 1, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 4}));
  const RunState state = stateAfter(events);
  CHECK(state.waiting_for == 1);
  CHECK(state.ranks[0].status == RankStatus::InCollective);
  CHECK(operationText(state.ranks[0]) == "all_reduce");
  CHECK(state.ranks[0].since_ns == 10'000'000);
  CHECK(state.ranks[1].status == RankStatus::Computing);
  CHECK(state.ranks[1].step == 4);
  CHECK(state.verdicts.empty());
}

TEST_CASE("a rank stopped inside the collective is who the others wait for") {
  std::vector<Event> events = {begin(2)};
  for (const std::int64_t rank : {0, 1}) {
    events.push_back(record(10, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 4, 7}));
  }
  CHECK_FALSE(stateAfter(events).waiting_for);
  events.push_back({at(12), RankProcess{0, 500, ProcessState::Stopped, "here"}});
  const RunState state = stateAfter(events);
  CHECK(state.waiting_for == 0);
  CHECK(says(find(state, VerdictKind::Stalled), "1 waits for it in all_reduce"));
}

TEST_CASE("the slot tells what a rank is in when its records were lost") {
  std::vector<Event> events = {begin(2), record(1, 0, SL_HELLO, {0, 0, 0, 0, 77})};
  events.push_back(slot(9, 0, SL_PHASE_COLLECTIVE, 8, {SL_OP_BARRIER, 3, 5, 12}));
  events.push_back({at(9), RankDropped{0, 40}});
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].pid == 77);
  CHECK(operationText(state.ranks[0]) == "barrier");
  CHECK(state.ranks[0].epoch == 3);
  CHECK(state.ranks[0].dropped == 40);
  CHECK(state.dropped == 40);
  CHECK(says(find(state, VerdictKind::Lost), "40 records"));
  events.push_back(record(10, 0, SL_COLL_LEAVE, {SL_OP_BARRIER, 3, 5, 12}));
  events.push_back(slot(9.5, 0, SL_PHASE_COLLECTIVE, 8, {SL_OP_BARRIER, 3, 5, 12}));
  CHECK(stateAfter(events).ranks[0].status == RankStatus::Between);
}

TEST_CASE("a job whose steps take seconds does not stand still in each of them") {
  std::vector<Event> events = {begin(2), record(1, 0, SL_HELLO), record(1, 1, SL_HELLO)};
  for (int step = 0; step < 6; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank)
      addStep(events, rank, static_cast<std::uint64_t>(step), 10 + 3520 * step, 5, 3500, 10 + 3520 * step + 3510);
  }
  for (const Verdict& verdict : stateAfter(events).verdicts) CHECK_MESSAGE(verdict.title.empty(), verdict.title);
}

TEST_CASE("pauses, stops and stalls stay in the record after the job went on") {
  std::vector<Event> events = {begin(2), record(1, 0, SL_HELLO), record(1, 1, SL_HELLO)};
  const auto addSteps = [&events](int first, int count, double from) {
    for (int step = 0; step < count; ++step) {
      for (std::int64_t rank = 0; rank < 2; ++rank)
        addStep(events, rank, static_cast<std::uint64_t>(first + step), from + 20 * step, 5, 5, from + 20 * step + 12);
    }
  };
  addSteps(0, 20, 10);
  // Rank 1 is stopped for 5 s while it loads.
  events.push_back({at(420), RankProcess{1, 501, ProcessState::Stopped, "here"}});
  events.push_back({at(5420), RankProcess{1, 501, ProcessState::Running, "here"}});
  addStep(events, 0, 20, 410, 5, 5, 5432);
  addStep(events, 1, 20, 410, 5015, 5, 5432);
  addSteps(21, 20, 5440);
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Paused);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "The others waited 5.0\u202fs for rank 1");
  CHECK(says(verdict, "In step 20 of epoch 0"));
  CHECK(says(verdict, "A signal had stopped it."));
  CHECK(verdict->from_ns == 420'000'000);
  CHECK(find(state, VerdictKind::Straggler) == nullptr);

  addSteps(41, 5, 5840);
  addSteps(46, 5, 12'000);
  const RunState later = stateAfter(events);
  const bool is_told = std::any_of(later.verdicts.begin(), later.verdicts.end(), [](const Verdict& one) {
    return one.title == "No rank made progress for 6.1\u202fs";
  });
  CHECK(is_told);

  // After its last step a job may save, and its interpreters take their time to end.
  const std::size_t last_step = events.size();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(record(18'000, rank, SL_BYE));
  const auto isTold = [](const RunState& run) {
    return std::count_if(run.verdicts.begin(), run.verdicts.end(),
                         [](const Verdict& one) { return one.title.starts_with("No rank made progress"); });
  };
  CHECK(isTold(stateAfter(events)) == 1);
  // Unless one still waits for another when that one goes.
  events.resize(last_step);
  events.push_back(record(12'200, 0, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 0, 51}));
  events.push_back(record(18'000, 1, SL_BYE));
  CHECK(isTold(stateAfter(events)) == 2);
}

TEST_CASE("a job that hangs before its first record is said to, and how long it took to begin") {
  std::vector<Event> events = {begin(2)};
  events.push_back({at(9000), Tick{}});
  CHECK(stateAfter(events).verdicts.empty());
  events.push_back({at(20'000), Tick{}});
  const RunState hanging = stateAfter(events);
  REQUIRE(hanging.verdicts.size() == 1);
  CHECK(hanging.verdicts[0].title == "No rank has reported yet");
  CHECK(hanging.verdicts[0].kind == VerdictKind::Stalled);
  for (int step = 0; step < 3; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank)
      addStep(events, rank, static_cast<std::uint64_t>(step), 30'000 + 20 * step, 5, 5, 30'012 + 20 * step);
  }
  const RunState begun = stateAfter(events);
  REQUIRE(begun.verdicts.size() == 1);
  CHECK(begun.verdicts[0].title == "No rank reported in the first 30\u202fs");
}

TEST_CASE("the barrier straight after an all-reduce does not hide who is late") {
  std::vector<Event> events = {begin(2)};
  for (int i = 0; i < 10; ++i) {
    const double from = 50.0 * i;
    const auto seq = static_cast<std::uint64_t>(2 * i);
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      addStep(events, rank, seq, from, rank == 1 ? 30 : 5, 5, from + 40);
      events.push_back(record(from + 41 + (rank == 0 ? 1 : 0), rank, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 0, seq + 1}));
      events.push_back(record(from + 44, rank, SL_COLL_LEAVE, {SL_OP_BARRIER, 0, 0, seq + 1}));
    }
  }
  const RunState state = stateAfter(events);
  CHECK(state.arrivals[1].collectives == 10);
  REQUIRE(find(state, VerdictKind::Straggler) != nullptr);
  CHECK(find(state, VerdictKind::Straggler)->rank == 1);
}

TEST_CASE("the first rank to go without a good-bye is dead, those after it were sent away") {
  auto events = slowRun(2);
  events.push_back({at(110), RankProcess{1, 501, ProcessState::Gone, "here"}});
  events.push_back({at(111), RankProcess{0, 500, ProcessState::Gone, "here"}});
  RunState state = stateAfter(events);
  CHECK(state.ranks[1].status == RankStatus::Dead);
  CHECK(state.ranks[0].status == RankStatus::Ended);
  const Verdict* verdict = find(state, VerdictKind::Dead);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 1);
  CHECK(says(verdict, "ended without reporting its end; it was last seen after 2 steps of epoch 0."));
  CHECK(says(verdict, " Rank 0 ended as well."));

  // The launcher's own words are surer than the order in which processes were seen to go.
  events.push_back({at(112), LauncherSays{0, 0, 9}});
  state = stateAfter(events);
  CHECK(state.ranks[0].status == RankStatus::Dead);
  CHECK(state.ranks[1].status == RankStatus::Ended);
  CHECK(says(find(state, VerdictKind::Dead), "Rank 0 (pid 500) was ended by signal 9 (SIGKILL)"));
}

TEST_CASE("ranks that go with their launcher are not dead, whoever was seen to go first") {
  auto events = slowRun(1);
  events.push_back({at(61), RankProcess{0, 500, ProcessState::Gone, "here"}});
  events.push_back({at(62), LauncherSays{-1, 137, 9}});
  events.push_back({at(63), RankProcess{1, 501, ProcessState::Gone, "here"}});
  events.push_back({at(64), RunEnd{JobStatus::Failed, 4, "The launcher was killed."}});
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].status == RankStatus::Ended);
  CHECK(state.ranks[1].status == RankStatus::Ended);
  REQUIRE(state.verdicts.size() == 1);
  CHECK(state.verdicts[0].rank == -1);
  CHECK(state.verdicts[0].message == "The launcher was killed.");
}

TEST_CASE("ranks that go after their good-bye, or after a stop, are not dead") {
  auto events = slowRun(1);
  events.push_back(record(60, 0, SL_BYE));
  events.push_back({at(61), RankProcess{0, 500, ProcessState::Gone, "here"}});
  events.push_back({at(62), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(63), RankProcess{1, 501, ProcessState::Gone, "here"}});
  events.push_back({at(64), RunEnd{JobStatus::Stopped, 4, "The user stopped the job."}});
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].status == RankStatus::Done);
  CHECK(state.ranks[1].status == RankStatus::Ended);
  CHECK(state.verdicts.empty());
  CHECK(state.status == JobStatus::Stopped);
  CHECK(state.exit_code == 4);
}

TEST_CASE("a rank that is stopped by a signal is named, also after the job was ended for it") {
  auto events = slowRun(2);
  for (const std::int64_t rank : {0, 1, 3})
    events.push_back(record(130, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 2, 2}));
  events.push_back({at(140), RankProcess{2, 502, ProcessState::Stopped, "here"}});
  events.push_back({at(5140), Tick{}});
  RunState state = stateAfter(events);
  CHECK(state.ranks[2].status == RankStatus::Stopped);
  CHECK(state.waiting_for == 2);
  CHECK(find(state, VerdictKind::Stalled)->rank == 2);
  CHECK(says(find(state, VerdictKind::Stalled), "stopped by a signal for 5.0\u202fs"));
  CHECK(says(find(state, VerdictKind::Stalled), "Ranks 0, 1 and 3 wait for it in all_reduce."));
  events.push_back({at(5200), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(5201), RankProcess{2, 502, ProcessState::Gone, "here"}});
  events.push_back({at(5202), RunEnd{JobStatus::Stopped, 4, ""}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled)->rank == 2);
  events.resize(events.size() - 3);
  events.push_back({at(5200), RankProcess{2, 502, ProcessState::Running, "here"}});
  CHECK(stateAfter(events).ranks[2].status != RankStatus::Stopped);
}

TEST_CASE("ranks of a job that is being ended do not wait for those that went before them") {
  auto events = slowRun(3);
  for (const std::int64_t rank : {0, 1, 3})
    events.push_back(record(200, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  events.push_back({at(12'000), Tick{}});
  REQUIRE(find(stateAfter(events), VerdictKind::Stalled)->rank == 2);
  events.push_back({at(12'000), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(12'010), RankProcess{1, 501, ProcessState::Gone, "here"}});
  events.push_back({at(12'020), Tick{}});
  std::size_t stalled = 0;
  for (const Verdict& verdict : stateAfter(events).verdicts) stalled += verdict.kind == VerdictKind::Stalled ? 1 : 0;
  CHECK(stalled == 1);
  CHECK(find(stateAfter(events), VerdictKind::Stalled)->rank == 2);
}

TEST_CASE("a rank that the others gave up waiting for is named when the job has failed") {
  auto events = slowRun(3);
  events.push_back(record(190, 2, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 3}));
  for (const std::int64_t rank : {0, 1, 3})
    events.push_back(record(200, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  events.push_back({at(12'000), Tick{}});
  const std::size_t standing = events.size();
  events.push_back(record(12'200, 0, SL_COLL_LEAVE, {SL_OP_ALLREDUCE, 0, 3, 3, 12'000'000'000}));  // a time-out
  events.push_back(record(12'210, 0, SL_BYE, {0, 0, 0, 0, 1}));
  events.push_back({at(12'300), RunEnd{JobStatus::Failed, 1, "Rank 0 ended with code 1."}});
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)->rank == 2);
  CHECK(says(find(state, VerdictKind::Stalled), "Ranks 0, 1 and 3 wait for it in all_reduce."));
  CHECK(state.verdicts.front().kind == VerdictKind::Stalled);
  // A wait that the failure ended is time waited, too, as is one that goes on.
  const RunState before = stateAfter(slowRun(3));
  CHECK(state.ranks[0].wait_ns - before.ranks[0].wait_ns == 12'000'000'000);
  CHECK(state.ranks[1].wait_ns - before.ranks[1].wait_ns == 12'100'000'000);
  CHECK(state.recent.lanes[0].spans.back().end_ns == 12'200'000'000);
  // Where the rank came and the step was done, the standstill is no reason for what happened later.
  events.resize(standing);
  events.push_back(record(12'200, 2, SL_PHASE_END, {SL_PHASE_LOAD, 0, 3, 0, 12'010'000'000}));
  events.push_back(record(12'210, 2, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  for (const std::int64_t rank : {0, 1, 2, 3})
    events.push_back(record(12'220, rank, SL_COLL_LEAVE, {SL_OP_ALLREDUCE, 0, 3, 3, 1'000'000}));
  events.push_back(record(12'230, 0, SL_BYE, {0, 0, 0, 0, 1}));
  events.push_back({at(12'300), RunEnd{JobStatus::Failed, 1, "Rank 0 ended with code 1."}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled) == nullptr);
  // Nor where it came and something else ended the job before the step was done.
  events.resize(standing);
  events.push_back(record(12'200, 2, SL_PHASE_END, {SL_PHASE_LOAD, 0, 3, 0, 12'010'000'000}));
  events.push_back(record(12'210, 2, SL_BYE, {0, 0, 0, 0, 1}));
  events.push_back({at(12'300), RunEnd{JobStatus::Failed, 1, "Rank 2 ended with code 1."}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled) == nullptr);
}

TEST_CASE("a rank that failed between two steps is not said to be in one") {
  auto events = slowRun(3);
  events.push_back(record(200, 0, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 3, 0}));
  events.push_back(record(300, 0, SL_COLL_LEAVE, {SL_OP_BARRIER, 0, 3, 0, 100'000'000}));
  events.push_back(record(310, 0, SL_BYE, {0, 0, 0, 0, 1}));
  CHECK(says(find(stateAfter(events), VerdictKind::Dead), "Rank 0 ended itself with code 1 after 3 steps of epoch 0."));
}

TEST_CASE("a rank that hangs in its own code is named once nobody has made progress for long") {
  auto events = slowRun(3);
  for (const std::int64_t rank : {0, 1, 3})
    events.push_back(record(200, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  events.push_back(record(190, 2, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 3}));
  events.push_back({at(2000), Tick{}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled) == nullptr);
  events.push_back({at(4200), Tick{}});
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Stalled);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 2);
  CHECK(says(verdict,
             "Rank 2 has been in step 3 of epoch 0 for 4.0\u202fs, and waits in no operation that ShardLens sees."));
}

TEST_CASE("stalled ranks are each said to be in what they are in") {
  auto events = slowRun(3);
  events.push_back(record(200, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  for (const std::int64_t rank : {1, 2}) events.push_back(record(190, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 3}));
  events.push_back(record(190, 3, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 3}));
  events.push_back({at(4200), Tick{}});
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Stalled);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "Ranks 1 to 3 make no progress");
  CHECK(says(verdict,
             "Ranks 1 and 2 have been in step 3 of epoch 0 for 4.0\u202fs, and wait in no operation that "
             "ShardLens sees. Rank 3 has been loading in step 3 of epoch 0 for 4.0\u202fs. Rank 0 waits for "
             "them in all_reduce."));
}

TEST_CASE("ranks whose devices are in an operation while their hosts compute wait for the one that is in none") {
  auto events = slowRun(3);
  const std::uint64_t on_device = sl_operation(SL_DEVICE_HANDLES + 1, SL_NO_PEER);
  const auto enter = [&](double ms, std::int64_t rank) {
    return record(ms, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3, 4000, on_device});
  };
  for (std::int64_t rank = 0; rank < 4; ++rank)
    events.push_back(record(190, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 3}));
  for (const std::int64_t rank : {0, 1, 3}) events.push_back(enter(200, rank));
  auto moving = events;
  moving.push_back({at(1000), Tick{}});
  CHECK_FALSE(stateAfter(moving).waiting_for);  // hosts may compute beside what their devices do
  auto all = events;
  events.push_back({at(4200), Tick{}});
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Stalled);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->ranks == std::vector<std::int64_t>{2});
  CHECK(says(verdict, "Ranks 0, 1 and 3 wait for it in all_reduce."));

  all.push_back(enter(210, 2));
  all.push_back({at(4300), Tick{}});
  const RunState met = stateAfter(all);
  CHECK(says(find(met, VerdictKind::Stalled), "All ranks have been inside all_reduce #3"));
}

TEST_CASE("a rank that ran out of batches is told from ranks that call different collectives") {
  std::vector<Event> events = {begin(3)};
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    events.push_back(record(0, rank, SL_EPOCH_BEGIN, {0, 0, 0, 0, rank == 1 ? 1U : 2U}));
    addStep(events, rank, 0, 1, 5, 5, 12);
  }
  events.push_back(record(13, 1, SL_EPOCH_END, {0, 0, 0, 1, 1}));
  events.push_back(record(13, 1, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 0, 0}));
  for (const std::int64_t rank : {0, 2}) events.push_back(record(23, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 1, 1}));
  const RunState state = stateAfter(events);
  CHECK(state.deadlocked);
  const Verdict* verdict = find(state, VerdictKind::Mismatch);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 1);
  CHECK(says(verdict, "Rank 1 ran out at step 1 of epoch 0: ranks 0 and 2 wait for it in all_reduce."));

  events.erase(events.end() - 4);  // without its end of epoch the rank did not run out
  CHECK(says(find(stateAfter(events), VerdictKind::Mismatch),
             "At the same point of the job, rank 1 is in barrier and ranks 0 and 2 in all_reduce."));
}

TEST_CASE("of ranks in different collectives, those of the one to which fewer came are named") {
  std::vector<Event> events = {begin(3)};
  for (std::int64_t rank = 0; rank < 3; ++rank) addStep(events, rank, 0, 1, 5, 5, 12);
  for (const std::int64_t rank : {0, 2}) events.push_back(record(20, rank, SL_COLL_ENTER, {SL_OP_BROADCAST, 0, 1}));
  events.push_back(record(21, 2, SL_COLL_LEAVE, {SL_OP_BROADCAST, 0, 1}));  // it has its data, the root waits
  events.push_back(record(21, 1, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 1}));
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Mismatch);
  CHECK(says(verdict, "rank 0 is in broadcast and rank 1 in barrier."));
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 1);
}

TEST_CASE("batches are compared with the plan as they come; the first difference is the earliest in the plan") {
  const ExpectedBatch expected = [](std::int64_t rank, std::int64_t /*epoch*/, std::int64_t step) {
    return Result(std::optional(PlannedBatch{rank == 3 && step >= 1 ? 5 : 1000 + static_cast<std::uint64_t>(step), 4}));
  };
  const RunState state = stateAfter(slowRun(4), expected);
  CHECK(state.ranks[0].matched == 4);
  CHECK(state.ranks[3].matched == 1);
  CHECK(state.ranks[3].mismatched == 3);
  REQUIRE(state.first_difference);
  CHECK(state.first_difference->rank == 3);
  CHECK(state.first_difference->step == 1);
  CHECK(says(find(state, VerdictKind::Mismatch), "3 batches of rank 3 do not match the plan"));
}

TEST_CASE("a batch whose plan cannot be told is neither right nor wrong; another number of samples is wrong") {
  const ExpectedBatch stopped = [](std::int64_t, std::int64_t, std::int64_t) {
    return Result<std::optional<PlannedBatch>>(Error{ErrorCode::Cancelled, "Stopped.", {}, {}});
  };
  const RunState unknown = stateAfter(slowRun(2), stopped);
  CHECK(unknown.ranks[0].matched + unknown.ranks[0].mismatched == 0);
  CHECK_FALSE(unknown.first_difference);
  const ExpectedBatch fewer = [](std::int64_t, std::int64_t, std::int64_t step) {
    return Result(std::optional(PlannedBatch{1000 + static_cast<std::uint64_t>(step), 3}));
  };
  CHECK(stateAfter(slowRun(2), fewer).ranks[0].mismatched == 2);
}

TEST_CASE("snapshots of a run share its spec, its command and its lines") {
  Event first = begin(2);
  std::get<RunBegin>(first.what).spec_yaml = "name: x\n";
  std::get<RunBegin>(first.what).command = "shardlens run x.yaml";
  Reducer reducer;
  reducer.apply(first);
  for (int i = 0; i < 501; ++i) reducer.apply({at(i), LogLine{0, false, "line " + std::to_string(i)}});
  const RunState before = reducer.snapshot();
  reducer.apply({at(501), LogLine{0, false, "line 501"}});
  const RunState after = reducer.snapshot();
  CHECK(&before.spec_yaml.text() == &after.spec_yaml.text());
  CHECK(&before.command.text() == &after.command.text());
  CHECK(after.spec_yaml.text() == "name: x\n");
  REQUIRE(before.log.size() == 500);
  REQUIRE(after.log.size() == 500);
  CHECK(before.log[0].text == "line 1");
  CHECK(after.log[499].text == "line 501");
  CHECK(before.log.shares(1, after.log, 0));
  CHECK_FALSE(before.log.shares(0, after.log, 0));
}

TEST_CASE("a recording without an end says so, and a job that never spoke did not start") {
  const RunState cut = stateAfter({begin(2), {at(1), RecordingLost{"Cut off."}}});
  REQUIRE(find(cut, VerdictKind::Lost) != nullptr);
  CHECK_FALSE(find(cut, VerdictKind::Lost)->says_title_first);
  const RunState endless = stateAfter({begin(2), {at(1), RecordingLost{}}});
  REQUIRE(find(endless, VerdictKind::Lost) != nullptr);
  CHECK(find(endless, VerdictKind::Lost)->says_title_first);
  CHECK(find(endless, VerdictKind::Lost)->message.starts_with(find(endless, VerdictKind::Lost)->title + "."));
  const RunState failed = stateAfter({begin(2), {at(1), RunEnd{JobStatus::Failed, 3, "There is no mpirun."}}});
  CHECK(says(find(failed, VerdictKind::LaunchFailed), "There is no mpirun."));
}

TEST_CASE("events of ranks that do not exist, of no known kind or of absurd times change nothing and harm nothing") {
  auto events = slowRun(1);
  const RunState before = stateAfter(events);
  for (const std::int64_t rank : {std::int64_t{-1}, std::int64_t{4}, std::int64_t{1} << 40}) {
    events.push_back(record(1, rank, SL_HELLO));
    events.push_back(slot(1, rank, SL_PHASE_LOAD, 1));
    events.push_back({at(1), RankProcess{rank, 1, ProcessState::Gone, ""}});
    events.push_back({at(1), RankDropped{rank, 1}});
  }
  events.push_back(record(1, 0, 999));
  Event absurd = record(1, 0, SL_PHASE_END, {SL_PHASE_LOAD, 0, 0, 0, ~std::uint64_t{0}});
  std::get<RankRecord>(absurd.what).record.time_ns = ~std::uint64_t{0};
  absurd.time_ns = -1;
  events.push_back(absurd);
  const RunState after = stateAfter(events);
  CHECK(after.elapsed_ns == before.elapsed_ns);
  CHECK(after.ranks[0].load_ns == before.ranks[0].load_ns);
  CHECK(after.verdicts.size() == before.verdicts.size());
}
