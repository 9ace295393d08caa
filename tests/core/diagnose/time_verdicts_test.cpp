// SPDX-License-Identifier: Apache-2.0
// Where the time went, why ranks ended, and what holds no more once the job is over.
#include "core/diagnose/verdicts.h"
#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// Steps of two ranks: rank 1 loads `late_ms` longer in every `period`th.
std::vector<Event> stepsOf(int count, double load_ms, double compute_ms, int period = 0, double late_ms = 0) {
  std::vector<Event> events = {begin(2), record(1, 0, SL_HELLO), record(1, 1, SL_HELLO)};
  double from = 10;
  for (int step = 0; step < count; ++step) {
    const double late = period > 0 && step % period == 2 ? late_ms : 0;
    const double release = from + load_ms + compute_ms + late + 1;
    addStep(events, 0, static_cast<std::uint64_t>(step), from, load_ms, compute_ms, release);
    addStep(events, 1, static_cast<std::uint64_t>(step), from, load_ms + late, compute_ms, release);
    from = release + 1;
  }
  return events;
}

/// Steps of the only rank of a command; of each, `other_ms` are in no phase.
std::vector<Event> stepsAlone(int count, double load_ms, double compute_ms, double other_ms = 0) {
  const auto ns = [](double ms) { return static_cast<std::uint64_t>(ms * 1e6); };
  std::vector<Event> events = {begin(0), record(1, 0, SL_HELLO, {0, 0, 0, 0, 77, 1})};
  double from = 10;
  for (int step = 0; step < count; ++step) {
    const auto number = static_cast<std::uint32_t>(step);
    const double got = from + load_ms;
    events.push_back(record(from, 0, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, number}));
    events.push_back(record(got, 0, SL_PHASE_END, {SL_PHASE_LOAD, 0, number, 0, ns(load_ms)}));
    events.push_back(record(got, 0, SL_STEP_BEGIN, {0, 0, number}));
    events.push_back(record(got, 0, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, number}));
    events.push_back(record(got + compute_ms, 0, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, number, 0, ns(compute_ms)}));
    from = got + compute_ms + other_ms;
    events.push_back(record(from, 0, SL_STEP_END, {0, 0, number}));
  }
  return events;
}

std::vector<Event> twoRanks() {
  return {begin(2), record(1, 0, SL_HELLO, {0, 0, 0, 0, 77}), record(1, 1, SL_HELLO, {0, 0, 0, 0, 78})};
}

/// Epoch 0 begins at 2 ms, and the rank does so many steps, one every 20 ms from 10 ms on.
void beginEpoch(std::vector<Event>& events, std::int64_t rank, int steps) {
  events.push_back(record(2, rank, SL_EPOCH_BEGIN));
  for (int step = 0; step < steps; ++step)
    addStep(events, rank, static_cast<std::uint64_t>(step), 10 + 20.0 * step, 4, 5, 25 + 20.0 * step);
}

}  // namespace

TEST_CASE("ranks that mostly load wait for their data, and no other does") {
  const RunState starved = stateAfter(stepsOf(60, 80, 5));
  const Verdict* verdict = find(starved, VerdictKind::Starved);
  REQUIRE(verdict != nullptr);
  CHECK(gravityOf(verdict->kind) == Gravity::Warning);
  CHECK(says(verdict, "The typical rank waited 4.8\u202fs of 5.2\u202fs for batches."));
  CHECK(verdict->next.find("at most 14 times as fast") != std::string::npos);
  CHECK(verdict->gain_s == doctest::Approx(4.8).epsilon(0.01));
  CHECK(find(stateAfter(stepsOf(60, 40, 60)), VerdictKind::Starved) == nullptr);
  CHECK(find(stateAfter(stepsOf(60, 8, 2)), VerdictKind::Starved) == nullptr);  // half a second in all
  CHECK(find(stateAfter(stepsOf(10, 800, 5)), VerdictKind::Starved) == nullptr);
}

TEST_CASE("one process alone waits for its data, and for nobody else") {
  const RunState starved = stateAfter(stepsAlone(60, 80, 5));
  REQUIRE(starved.verdicts.size() == 1);
  CHECK(starved.verdicts[0].title == "The rank waits for its data");
  CHECK(says(&starved.verdicts[0], "The rank waited 4.8\u202fs of 5.1\u202fs for batches."));
  CHECK(!starved.waiting_for.has_value());
  CHECK(stateAfter(stepsAlone(60, 80, 5, 100)).verdicts.empty());  // where most of its time went is not known
}

TEST_CASE("a job without collectives stalls in proportion to its steps") {
  auto events = stepsAlone(5, 4000, 4000);
  const double last = 10 + 5 * 8000.0;
  events.push_back(record(last, 0, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 5}));
  events.push_back({at(last + 30'000), Tick{}});
  CHECK(stateAfter(events).verdicts.empty());
  events.push_back({at(last + 41'000), Tick{}});
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)
            ->message.starts_with("Rank 0 has been loading in step 5 of epoch 0 for 41\u202fs."));
}

TEST_CASE("the cause of a lateness now and then is what the rank did longer over the whole run") {
  const RunState state = stateAfter(stepsOf(96, 5, 15, 4, 80));
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "The others wait for rank 1 now and then");
  CHECK(verdict->ranks == std::vector<std::int64_t>{1});
  CHECK(says(verdict,
             "In 24 collectives out of 96, the others waited for rank 1, typically 80\u202fms (the first time "
             "in step 2 of epoch 0)."));
  CHECK(says(verdict, "In all, it spent 2.4\u202fs loading, the others typically 480\u202fms."));
  CHECK(verdict->gain_s == doctest::Approx(24 * 0.08).epsilon(0.01));
}

TEST_CASE("a wait for a rank that was still starting is none of its steps, and is told when it is long") {
  const auto startsAfter = [](double late_ms) {
    std::vector<Event> events = twoRanks();
    const RecordFields gather = {SL_OP_ALLGATHER, 0, 0, 0, 8, sl_operation(99, SL_NO_PEER)};
    events.push_back(record(100, 0, SL_COLL_ENTER, gather));
    events.push_back(record(100 + late_ms, 1, SL_COLL_ENTER, gather));
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      events.push_back(record(101 + late_ms, rank, SL_COLL_LEAVE, gather));
      for (int step = 0; step < 20; ++step)
        addStep(events, rank, static_cast<std::uint64_t>(step), 110 + late_ms + 60 * step, rank == 1 ? 35 : 5, 5,
                151 + late_ms + 60 * step);
    }
    return stateAfter(events);
  };
  const RunState late = startsAfter(2500);
  const Verdict* const start = find(late, VerdictKind::Paused);
  REQUIRE(start != nullptr);
  CHECK(start->title == "The others waited 2.5\u202fs for rank 1 to start");
  CHECK(start->message.find("step 0") == std::string::npos);
  const Verdict* const slow = find(late, VerdictKind::Straggler);
  REQUIRE(slow != nullptr);
  CHECK(slow->gain_s == doctest::Approx(20 * 0.03).epsilon(0.01));
  CHECK(says(slow, "Rank 1 comes last in 20 of 20 collectives"));
  CHECK(says(slow, "1 more collective does not tell who is late."));
  CHECK(find(startsAfter(1200), VerdictKind::Paused) == nullptr);
}

TEST_CASE("a wait in the first step for a rank that began to load after it is no matter of that step") {
  std::vector<Event> events = twoRanks();
  addStep(events, 0, 0, 10, 5, 5, 2520);
  addStep(events, 1, 0, 2500, 5, 5, 2520);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    for (int step = 1; step < 10; ++step)
      addStep(events, rank, static_cast<std::uint64_t>(step), 2510 + 20 * step, 5, 5, 2522 + 20 * step);
  }
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Paused) != nullptr);
  CHECK(find(state, VerdictKind::Paused)->title == "The others waited 2.5\u202fs for rank 1 to start");
}

TEST_CASE("a rank that waits in several operations at once waits once") {
  std::vector<Event> events = twoRanks();
  for (std::uint32_t step = 0; step < 20; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const double from = 10 + 100.0 * step;
      const double computes = rank == 1 ? 85 : 5;
      const auto operation = [step](std::uint32_t number) {
        return RecordFields{SL_OP_ALLREDUCE,   0,  step,
                            2 * step + number, 16, sl_operation(2 * step + number + 1, SL_NO_PEER)};
      };
      events.push_back(record(from, rank, SL_STEP_BEGIN, {0, 0, step}));
      events.push_back(record(from, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, step}));
      events.push_back(record(from + computes, rank, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, step, 0, 1}));
      for (const std::uint32_t number : {0U, 1U})
        events.push_back(record(from + computes + 0.1 * number, rank, SL_COLL_ENTER, operation(number)));
      for (const std::uint32_t number : {0U, 1U})
        events.push_back(record(from + 86 + 0.1 * number, rank, SL_COLL_LEAVE, operation(number)));
      events.push_back(record(from + 87, rank, SL_STEP_END, {0, 0, step}));
    }
  }
  const RunState state = stateAfter(events);
  const Verdict* const verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->gain_s == doctest::Approx(20 * 0.08).epsilon(0.01));
  CHECK(verdict->lost_s == doctest::Approx(20 * 0.08).epsilon(0.01));
  CHECK(says(verdict, "Rank 1 comes last in 20 of 20 collectives"));
  CHECK(says(verdict, "20 more collectives do not tell who is late."));
}

TEST_CASE("waits in messages are told where no verdict says whom they were for") {
  const auto messages = [](double wait_ms) {
    std::vector<Event> events = twoRanks();
    for (std::uint64_t i = 0; i < 20; ++i) {
      const double from = 10 + 200.0 * static_cast<double>(i);
      const RecordFields recv = {SL_OP_RECV, 0, 0, i, 8, sl_operation(static_cast<std::uint32_t>(i + 1), 1)};
      const RecordFields send = {SL_OP_SEND, 0, 0, i, 8, sl_operation(static_cast<std::uint32_t>(i + 1), 0)};
      events.push_back(record(from, 0, SL_COLL_ENTER, recv));
      events.push_back(record(from + wait_ms, 1, SL_COLL_ENTER, send));
      events.push_back(record(from + wait_ms, 0, SL_COLL_LEAVE, recv));
      events.push_back(record(from + wait_ms, 1, SL_COLL_LEAVE, send));
    }
    return stateAfter(events);
  };
  const RunState waiting = messages(150);
  const Verdict* verdict = find(waiting, VerdictKind::Wandering);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->title == "Ranks wait for each other; which one is late is unknown");
  CHECK(says(verdict, "Rank 0 waited longest (3.0\u202fs), rank 1 shortest"));
  CHECK(find(messages(20), VerdictKind::Wandering) == nullptr);
}

TEST_CASE("a rank that ran out of batches comes before the one that gave up for want of it") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) beginEpoch(events, rank, 6);
  events.push_back(record(140, 1, SL_EPOCH_END, {0, 0, 0, 0, 6}));
  events.push_back(record(150, 1, SL_BYE));
  events.push_back(record(151, 0, SL_STEP_BEGIN, {0, 0, 6}));
  events.push_back(record(160, 0, SL_BYE, {0, 0, 0, 0, 1}));
  const RunState state = stateAfter(events);
  REQUIRE(state.verdicts.size() >= 2);
  CHECK(state.verdicts[0].title == "Rank 1 ran out of batches");
  CHECK(state.verdicts[0].message ==
        "Rank 1 had no batch left after 6 steps of epoch 0, and ended. Rank 0 had more, and gave up.");
  CHECK(state.verdicts[1].title == "Rank 0 gave up");
  CHECK(state.ranks[0].status == RankStatus::Ended);
  CHECK(state.ranks[1].status == RankStatus::Done);
}

TEST_CASE("a rank that ran out where ranks only send, or only broadcast, comes before the one that gave up for it") {
  for (const bool is_broadcast : {false, true}) {
    for (const bool is_gone : {false, true}) {
      CAPTURE(is_broadcast);
      CAPTURE(is_gone);
      // Rank 0 has 4 batches an epoch and rank 1 has 3: the first of an epoch meets the last of another one.
      std::vector<Event> events = twoRanks();
      const auto talk = [&](double ms, std::int64_t rank, std::uint32_t epoch, std::uint32_t step, std::uint32_t seq) {
        const auto op = static_cast<std::uint16_t>(is_broadcast ? SL_OP_BROADCAST
                                                   : rank == 0  ? SL_OP_RECV
                                                                : SL_OP_SEND);
        const auto peer = is_broadcast ? 1U : static_cast<std::uint32_t>(1 - rank);
        const std::uint64_t handle = sl_operation(seq + 1, peer);
        events.push_back(record(ms, rank, SL_STEP_BEGIN, {0, epoch, step}));
        events.push_back(record(ms, rank, SL_COLL_ENTER, {op, epoch, step, seq, 4, handle}));
        events.push_back(record(ms + 2, rank, SL_COLL_LEAVE, {op, epoch, step, seq, 0, handle}));
      };
      const auto read = [&](std::int64_t rank, std::uint32_t batches) {
        std::uint32_t seq = 0;
        for (std::uint32_t epoch = 0; epoch < 2 && seq < 6; ++epoch) {
          events.push_back(record(10 + 10.0 * seq, rank, SL_EPOCH_BEGIN, {0, epoch}));
          for (std::uint32_t step = 0; step < batches && seq < 6; ++step, ++seq) {
            talk(11 + 10.0 * seq, rank, epoch, step, seq);
            events.push_back(record(15 + 10.0 * seq, rank, SL_STEP_END, {0, epoch, step}));
          }
          if (seq % batches == 0) events.push_back(record(6 + 10.0 * seq, rank, SL_EPOCH_END, {0, epoch}));
        }
      };
      read(0, 4);
      read(1, 3);
      talk(80, 0, 1, 2, 6);  // which fails: rank 1 has closed its connections
      events.push_back(record(is_gone ? 81 : 91, 1, SL_BYE));
      events.push_back(record(90, 0, SL_BYE, {0, 0, 0, 0, 1}));
      std::stable_sort(events.begin(), events.end(),
                       [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
      const RunState state = stateAfter(events);
      REQUIRE(state.verdicts.size() >= 2);
      CHECK(state.verdicts[0].title == "Rank 1 ran out of batches");
      CHECK(state.verdicts[0].message == std::string("Rank 1 had no batch left after 3 steps of epoch 1") +
                                             (is_gone ? ", and ended" : "") + ". Rank 0 had more, and gave up.");
      CHECK(state.verdicts[1].title == "Rank 0 gave up");
    }
  }
}

TEST_CASE("a rank that ended well while others went on comes before the one that gave up for want of it") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    beginEpoch(events, rank, 3);
    events.push_back(record(71, rank, SL_STEP_BEGIN, {0, 0, 3}));
  }
  events.push_back(record(80, 1, SL_BYE));
  std::vector<Event> even = events;
  events.push_back(record(81, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 3, 3}));
  events.push_back(record(90, 0, SL_BYE, {0, 0, 0, 0, 1}));
  const RunState state = stateAfter(events);
  REQUIRE(state.verdicts.size() >= 2);
  CHECK(state.verdicts[0].kind == VerdictKind::Mismatch);
  CHECK(state.verdicts[0].title == "Rank 1 ended before the others");
  CHECK(state.verdicts[0].message ==
        "Rank 1 ended without an error in step 3 of epoch 0. Others went on, and rank 0 gave up.");
  CHECK(state.verdicts[1].title == "Rank 0 gave up");
  // One that comes to nothing more needs no other rank.
  even.push_back(record(90, 0, SL_BYE, {0, 0, 0, 0, 1}));
  REQUIRE(!stateAfter(even).verdicts.empty());
  CHECK(stateAfter(even).verdicts[0].title == "Rank 0 gave up");
}

TEST_CASE("a rank that gave up after its last step is not said to be in one that it has not") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    beginEpoch(events, rank, 6);
    events.push_back(record(140, rank, SL_STEP_BEGIN, {0, 0, 6}));  // it asked for another batch, and there was none
    events.push_back(record(141, rank, SL_EPOCH_END, {0, 0, 0, 0, 6}));
  }
  const std::size_t ended = events.size();
  events.push_back(record(150, 1, SL_BYE, {0, 0, 0, 0, 1}));
  const RunState state = stateAfter(events);
  REQUIRE(!state.verdicts.empty());
  CHECK(state.verdicts[0].message == "Rank 1 ended itself with code 1 after 6 steps of epoch 0.");
  // Nor where it read what may be the next epoch, or a validation, for which it may hang.
  events.resize(ended);
  events.push_back(record(150, 0, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 6, 0, 0, sl_operation(9, SL_NO_PEER)}));
  events.push_back(record(150, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 1, 0}));
  events.push_back({at(8150), Tick{}});
  const RunState hangs = stateAfter(events);
  CHECK(says(find(hangs, VerdictKind::Stalled), "Rank 1 has been loading after 6 steps of epoch 0 for 8.0\u202fs."));
  events.push_back(record(8160, 1, SL_BYE, {0, 0, 0, 0, 1}));
  CHECK(says(find(stateAfter(events), VerdictKind::Dead), "Rank 1 ended itself with code 1 after 6 steps of epoch 0."));
}

TEST_CASE("what stood still is told after a signal ended it, and nobody is said to have ended itself") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) beginEpoch(events, rank, 6);
  events.push_back(record(131, 1, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 6}));
  events.push_back(record(140, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 6, 6, 8, sl_operation(7, SL_NO_PEER)}));
  events.push_back({at(8150), Tick{}});
  REQUIRE(find(stateAfter(events), VerdictKind::Stalled) != nullptr);
  events.push_back(record(8200, 1, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 6, 0, 1}));
  events.push_back(record(8200, 1, SL_BYE, {0, 0, 6, 0, 130, SIGINT}));
  const RunState interrupted = stateAfter(events);
  CHECK(says(find(interrupted, VerdictKind::Dead), "was ended by signal 2 (SIGINT)"));
  CHECK(find(interrupted, VerdictKind::Stalled) != nullptr);
  events.push_back({at(8300), LauncherSays{-1, 1, 0}});
  events.push_back({at(8400), RunEnd{JobStatus::Failed, 4, "Another process asked the command to end."}});
  const RunState over = stateAfter(events);
  CHECK(says(find(over, VerdictKind::Stalled), "Rank 0 waits for it in all_reduce."));
  CHECK(find(over, VerdictKind::Dead) == nullptr);
  CHECK(over.ranks[1].status == RankStatus::Ended);
}

TEST_CASE("a rank that a signal ended while it loaded was loading until then; one that only failed had gone on") {
  for (const bool by_signal : {true, false}) {
    std::vector<Event> events = twoRanks();
    for (std::int64_t rank = 0; rank < 2; ++rank) beginEpoch(events, rank, 6);
    events.push_back(record(131, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 6}));
    events.push_back(record(140, 0, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 6, 6, 8, sl_operation(7, SL_NO_PEER)}));
    events.push_back({at(8150), Tick{}});
    events.push_back(record(8200, 1, SL_PHASE_END, {SL_PHASE_LOAD, 0, 6, 0, 8'069'000'000}));
    events.push_back(record(8900, 1, SL_BYE, {0, 0, 6, 0, 130, by_signal ? std::uint64_t{SIGINT} : 0}));
    events.push_back({at(9000), RunEnd{JobStatus::Failed, 4, "It ended."}});
    CHECK((find(stateAfter(events), VerdictKind::Stalled) != nullptr) == by_signal);
  }
}

TEST_CASE("a stalled rank whose epoch is over is not said to be in the step of another one") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) beginEpoch(events, rank, 6);
  events.push_back(record(141, 1, SL_EPOCH_END, {0, 0, 5, 0, 6}));
  for (std::int64_t rank = 0; rank < 2; ++rank)
    events.push_back(record(150, rank, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 5}));
  events.push_back({at(8150), Tick{}});
  const RunState state = stateAfter(events);
  CHECK(says(
      find(state, VerdictKind::Stalled),
      "Rank 0 has been loading in step 5 of epoch 0 for 8.0\u202fs. Rank 1 has been loading after 6 steps of epoch "
      "0 for 8.0\u202fs."));
}

TEST_CASE("a wait after the last step is not said to be in it") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    beginEpoch(events, rank, 6);
    events.push_back(record(141, rank, SL_EPOCH_END, {0, 0, 5, 0, 6}));
    const RecordFields barrier{SL_OP_BARRIER, 0, 5, 0, 0, sl_operation(9, SL_NO_PEER)};
    events.push_back(record(rank == 0 ? 150 : 3150, rank, SL_COLL_ENTER, barrier));
    events.push_back(record(3151, rank, SL_COLL_LEAVE, barrier));
    events.push_back(record(3160, rank, SL_BYE));
  }
  const RunState state = stateAfter(events);
  CHECK(says(find(state, VerdictKind::Paused), "after the start, the others began to wait 3.0\u202fs for rank 1."));
}

TEST_CASE("a rank that gave up in its first step is not said to have had a batch") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(record(2, rank, SL_EPOCH_BEGIN));
  events.push_back(record(140, 1, SL_EPOCH_END, {0, 0, 0, 0, 0}));
  events.push_back(record(150, 1, SL_BYE));
  events.push_back(record(160, 0, SL_BYE, {0, 0, 0, 0, 1}));
  const RunState state = stateAfter(events);
  REQUIRE(!state.verdicts.empty());
  for (const Verdict& verdict : state.verdicts) CHECK(verdict.message.find("had more") == std::string::npos);
}

TEST_CASE("sizes that differ come before the end that follows from them, and after one that they follow") {
  for (const bool is_first : {true, false}) {
    std::vector<Event> events = twoRanks();
    const auto enter = [&](std::int64_t rank, std::uint64_t bytes) {
      events.push_back(record(20, rank, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 0, 0, bytes, sl_operation(1, SL_NO_PEER)}));
    };
    enter(0, 16);
    enter(1, 32);
    events.push_back(record(is_first ? 30 : 15, 1, SL_BYE, {0, 0, 0, 0, 1}));
    const RunState state = stateAfter(events);
    REQUIRE(state.verdicts.size() >= 2);
    CHECK(state.verdicts[is_first ? 0 : 1].title == "Ranks give different sizes to all_reduce #0");
    CHECK(state.verdicts[is_first ? 1 : 0].title == "Rank 1 gave up");
  }
}

TEST_CASE("a standstill that ends with the death of who was waited for is not said to have been overcome") {
  std::vector<Event> events = twoRanks();
  const RecordFields reduce = {SL_OP_ALLREDUCE, 0, 1, 1, 4000, sl_operation(2, SL_NO_PEER)};
  for (std::int64_t rank = 0; rank < 2; ++rank) addStep(events, rank, 0, 10, 5, 5, 30);
  events.push_back(record(40, 0, SL_COLL_ENTER, reduce));
  events.push_back({at(100), RankProcess{1, 78, ProcessState::Stopped, "here"}});
  events.push_back({at(5100), RankProcess{1, 78, ProcessState::Running, "here"}});  // while it is ended
  events.push_back({at(5120), RankProcess{1, 78, ProcessState::Gone, "here"}});
  events.push_back(record(5150, 0, SL_COLL_LEAVE, reduce));
  events.push_back(record(5151, 0, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 1}));
  events.push_back(record(7000, 0, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 1}));
  events.push_back(record(7000, 0, SL_BYE, {0, 0, 0, 0, 1}));
  events.push_back({at(7100), RunEnd{JobStatus::Failed, 1, "Rank 0 ended with code 1."}});
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Dead) != nullptr);
  for (const Verdict& verdict : state.verdicts) CHECK(verdict.message.find("continued") == std::string::npos);
  CHECK(says(find(state, VerdictKind::Paused), "it reported nothing after that"));
  // What it says itself shows that it was resumed.
  const auto dies = std::find_if(events.begin(), events.end(), [](const Event& event) {
    const auto* process = std::get_if<RankProcess>(&event.what);
    return process != nullptr && process->state == ProcessState::Gone;
  });
  events.insert(dies, record(5110, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 1}));
  const RunState resumed = stateAfter(events);
  const bool is_told = std::any_of(resumed.verdicts.begin(), resumed.verdicts.end(), [](const Verdict& verdict) {
    return verdict.message.find("another one resumed it") != std::string::npos;
  });
  CHECK(is_told);
}

TEST_CASE("what can be done to a process is advised while it runs, and no longer") {
  std::vector<Event> events = twoRanks();
  for (std::int64_t rank = 0; rank < 2; ++rank) addStep(events, rank, 0, 10, 5, 5, 30);
  events.push_back({at(100), RankProcess{1, 78, ProcessState::Stopped, "here"}});
  events.push_back({at(6000), Tick{}});
  const RunState running = stateAfter(events);
  REQUIRE(find(running, VerdictKind::Stalled) != nullptr);
  CHECK(find(running, VerdictKind::Stalled)->next == "kill -CONT 78 resumes it.");
  events.push_back({at(9000), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(9100), RankProcess{0, 77, ProcessState::Gone, "here"}});
  events.push_back({at(9100), RankProcess{1, 78, ProcessState::Gone, "here"}});
  events.push_back({at(9200), RunEnd{JobStatus::Stopped, 4, "The user stopped the job."}});
  const RunState over = stateAfter(events);
  REQUIRE(find(over, VerdictKind::Stalled) != nullptr);
  CHECK(find(over, VerdictKind::Stalled)->next.find("78") == std::string::npos);
  for (const Verdict& verdict : over.verdicts) CHECK(verdict.message.find("continued") == std::string::npos);
}
