// SPDX-License-Identifier: Apache-2.0
// Jobs of which the ranks themselves say how many they are.
#include "tests/support/reduced.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// A command whose ranks are not known beforehand.
std::vector<Event> command() {
  Event first = begin(0);
  auto& run = std::get<RunBegin>(first.what);
  run.reports = false;
  run.planned_steps = 0;
  return {first};
}

Event hello(double ms, std::int64_t rank, std::uint64_t world_size) {
  return record(ms, rank, SL_HELLO, {0, 0, 0, 0, 100 + static_cast<std::uint64_t>(rank), world_size});
}

Event enter(double ms, std::int64_t rank, std::uint64_t seq) {
  return record(ms, rank, SL_COLL_ENTER, {SL_OP_BARRIER, 0, 0, seq, 0, sl_operation(1, SL_NO_PEER)});
}

Event leave(double ms, std::int64_t rank, std::uint64_t seq) {
  return record(ms, rank, SL_COLL_LEAVE, {SL_OP_BARRIER, 0, 0, seq, 0, sl_operation(1, SL_NO_PEER)});
}

const Verdict* titled(const RunState& state, const std::string& title) {
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.title == title) return &verdict;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the first hello says how many ranks a command has, and that they report") {
  auto events = command();
  const RunState before = stateAfter(events);
  CHECK_FALSE(before.reports);
  CHECK(before.ranks.empty());
  events.push_back(hello(10, 1, 3));
  events.push_back(hello(11, 0, 3));
  events.push_back(hello(12, 2, 3));
  events.push_back(enter(20, 0, 0));
  const RunState state = stateAfter(events);
  CHECK(state.reports);
  CHECK(state.world_size == 3);
  REQUIRE(state.ranks.size() == 3);
  CHECK(state.ranks[1].pid == 101);
  CHECK(state.ranks[0].status == RankStatus::InCollective);
  CHECK_FALSE(state.hasSteps());
  CHECK(state.verdicts.empty());
}

TEST_CASE("a world of no possible size is not believed") {
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{100'001}, ~std::uint64_t{0}}) {
    auto events = command();
    events.push_back(hello(10, 0, size));
    CHECK(stateAfter(events).world_size == 0);
  }
}

TEST_CASE("a later start of ranks is said, and changes nothing of the first") {
  auto events = command();
  events.push_back(hello(10, 0, 2));
  events.push_back(hello(10, 1, 2));
  Event again = hello(20, 0, 0);
  std::get<RankRecord>(again.what).record.seq = 1;
  events.push_back(again);
  const RunState state = stateAfter(events);
  CHECK(state.world_size == 2);
  CHECK(state.ranks[0].pid == 100);
  const Verdict* verdict = titled(state, "Not all ranks of this command are shown");
  REQUIRE(verdict != nullptr);
  CHECK(says(verdict, "Only the first start is shown here, with 2 ranks"));
}

TEST_CASE("ranks that wait for each other in a circle are still named after the job was stopped") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  events.push_back(enter(10, 0, 0));
  // Rank 1 left the barrier out, and waits for a message that rank 0 sends after it.
  events.push_back(record(11, 1, SL_COLL_ENTER, {SL_OP_RECV, 0, 0, 0, 0, sl_operation(1, 0)}));
  events.push_back({at(30'000), Tick{}});
  REQUIRE(find(stateAfter(events), VerdictKind::Mismatch) != nullptr);
  events.push_back({at(30'100), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(30'200), RankProcess{0, 100, ProcessState::Gone, "here"}});
  events.push_back({at(30'200), RankProcess{1, 101, ProcessState::Gone, "here"}});
  events.push_back({at(30'300), RunEnd{JobStatus::Stopped, 4, "The user stopped the job."}});
  const RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Mismatch) != nullptr);
  CHECK(find(state, VerdictKind::Mismatch)->title.find("wait for each other") != std::string::npos);
}

TEST_CASE("ranks that somebody ends while the job stands still are not why") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  events.push_back(record(10, 0, SL_COLL_ENTER, {SL_OP_RECV, 0, 0, 0, 0, sl_operation(1, 1)}));
  events.push_back(record(11, 1, SL_COLL_ENTER, {SL_OP_RECV, 0, 0, 0, 0, sl_operation(1, 0)}));
  events.push_back({at(30'000), Tick{}});
  const std::size_t standing = events.size();
  events.push_back({at(30'100), RankProcess{1, 101, ProcessState::Gone, "here"}});
  CHECK(stateAfter(events).verdicts.front().kind == VerdictKind::Mismatch);
  CHECK(find(stateAfter(events), VerdictKind::Dead) == nullptr);  // the other may go with it
  const std::size_t first_gone = events.size();
  events.push_back({at(30'110), RankProcess{0, 100, ProcessState::Gone, "here"}});
  events.push_back({at(30'300), RunEnd{JobStatus::Failed, 4, "bash ended with code 143."}});
  RunState state = stateAfter(events);
  CHECK(state.verdicts.front().title.find("wait for each other") != std::string::npos);
  CHECK(find(state, VerdictKind::Dead) == nullptr);
  // Where the other stays, the one died; what stood still before comes first.
  events.resize(first_gone);
  events.push_back({at(32'000), Tick{}});
  state = stateAfter(events);
  CHECK(state.verdicts.front().kind == VerdictKind::Mismatch);
  REQUIRE(find(state, VerdictKind::Dead) != nullptr);
  CHECK(find(state, VerdictKind::Dead)->next == "Look at the last lines of rank 1.");
  // What the launcher says of the signal is surer.
  for (const int signal : {15, 2, 9}) {
    events.resize(standing);
    events.push_back({at(30'100), RankProcess{1, 101, ProcessState::Gone, "here"}});
    events.push_back({at(32'100), LauncherSays{1, 0, signal}});
    events.push_back({at(32'110), RankProcess{0, 100, ProcessState::Gone, "here"}});
    CHECK((find(stateAfter(events), VerdictKind::Dead) != nullptr) == (signal == 9));
  }
}

TEST_CASE("ranks without batches are not advised to have as many") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  events.push_back(enter(10, 0, 0));
  events.push_back(record(11, 1, SL_COLL_ENTER, {SL_OP_ALLREDUCE, 0, 0, 0, 8, sl_operation(1, SL_NO_PEER)}));
  const RunState mixed = stateAfter(events);
  REQUIRE(find(mixed, VerdictKind::Mismatch) != nullptr);
  CHECK(find(mixed, VerdictKind::Mismatch)->next ==
        "Make all ranks call the operations of their groups in the same order.");
  events.back() = record(11, 1, SL_BYE);
  events.push_back({at(30'000), Tick{}});
  const RunState done = stateAfter(events);
  REQUIRE(find(done, VerdictKind::Mismatch) != nullptr);
  CHECK(find(done, VerdictKind::Mismatch)->title == "Rank 1 reached the end while others wait");
  CHECK(find(done, VerdictKind::Mismatch)->next.find("batches") == std::string::npos);
}

TEST_CASE("ranks that all work are not said to stand still, however long that takes") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(60'000, rank, 2));
  events.push_back({at(200'000), Tick{}});
  CHECK(stateAfter(events).verdicts.empty());
  events.push_back(enter(200'001, 0, 0));
  CHECK(stateAfter(events).verdicts.empty());
  events.push_back({at(230'000), Tick{}});
  const RunState waiting = stateAfter(events);
  REQUIRE(find(waiting, VerdictKind::Stalled) != nullptr);
  CHECK(find(waiting, VerdictKind::Stalled)->rank == 1);
  CHECK(says(find(waiting, VerdictKind::Stalled), "Rank 0 waits for it in barrier"));
}

TEST_CASE("a rank that dies while it loads is said to do so where no step is known") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  const std::size_t begun = events.size();
  events.push_back(record(10, 1, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, 0}));
  events.push_back({at(5000), RankProcess{1, 101, ProcessState::Gone, "here"}});
  CHECK(says(find(stateAfter(events), VerdictKind::Dead),
             "Rank 1 (pid 101) ended without reporting its end; it was last seen while loading"));
  events.erase(events.begin() + static_cast<std::ptrdiff_t>(begun));
  events.push_back({at(5001), LauncherSays{1, 0, 9}});
  CHECK(says(find(stateAfter(events), VerdictKind::Dead), "outside any operation that ShardLens sees"));
}

TEST_CASE("a master that waits for any worker does not make the workers stand still") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 3; ++rank) events.push_back(hello(0, rank, 3));
  events.push_back(record(10, 0, SL_COLL_ENTER, {SL_OP_RECV, 0, 0, 0, 8, sl_operation(1, SL_NO_PEER)}));
  events.push_back({at(60'000), Tick{}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled) == nullptr);
}

TEST_CASE("ranks that tell their steps and then nothing more stand still") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    events.push_back(hello(0, rank, 2));
    addStep(events, rank, 0, 10, 5, 10, 40);
  }
  events.push_back({at(60'000), Tick{}});
  CHECK(find(stateAfter(events), VerdictKind::Stalled) != nullptr);
}

TEST_CASE("of a rank that never reported it is not said that others wait for it") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 3));
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(enter(10, rank, 0));
  events.push_back({at(60'000), Tick{}});
  const RunState state = stateAfter(events);
  CHECK(find(state, VerdictKind::Stalled) == nullptr);
  CHECK_FALSE(state.waiting_for);
  const Verdict* verdict = titled(state, "Not all ranks of this command are seen");
  REQUIRE(verdict != nullptr);
  CHECK(says(verdict, "Rank 2 of 3 ranks has not reported so far, "));
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(leave(60'001, rank, 0));
  CHECK(find(stateAfter(events), VerdictKind::Paused) != nullptr);  // they waited, and did not work
}

TEST_CASE("ranks that start later than others are waited for before it is said that they are not seen") {
  auto events = command();
  events.push_back(hello(12'000, 0, 2));
  events.push_back({at(14'000), Tick{}});
  CHECK(titled(stateAfter(events), "Not all ranks of this command are seen") == nullptr);
  auto slow = events;
  slow.push_back({at(22'000), Tick{}});
  CHECK(titled(stateAfter(slow), "Not all ranks of this command are seen") != nullptr);
  events.push_back({at(15'000), RunEnd{}});
  const RunState over = stateAfter(events);
  CHECK(says(titled(over, "Not all ranks of this command are seen"), "Rank 1 of 2 ranks has not reported, "));
}

TEST_CASE("who is late because it waited for a late rank's message is not slow itself") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 4; ++rank) events.push_back(hello(0, rank, 4));
  const auto pair = [&](double ms, std::int64_t rank, std::uint16_t kind, std::uint16_t op, std::uint32_t peer,
                        std::uint64_t seq) {
    events.push_back(record(ms, rank, kind, {op, 0, 0, seq, 8, sl_operation(7, peer)}));
  };
  for (std::uint64_t step = 0; step < 60; ++step) {
    const double from = 10 + 50.0 * static_cast<double>(step);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double noise = 0.1 * static_cast<double>((rank + static_cast<std::int64_t>(step)) % 4);
      const double arrival = from + (rank == 1 || rank == 2 ? 31 : 1) + noise;
      if (rank == 1) pair(from + 30, 1, SL_COLL_ENTER, SL_OP_SEND, 2, step);
      if (rank == 1) pair(from + 30.1, 1, SL_COLL_LEAVE, SL_OP_SEND, 2, step);
      if (rank == 2) pair(from + 1, 2, SL_COLL_ENTER, SL_OP_RECV, 1, step);
      if (rank == 2) pair(from + 30.2, 2, SL_COLL_LEAVE, SL_OP_RECV, 1, step);
      events.push_back(enter(arrival, rank, step));
      events.push_back(leave(from + 33, rank, step));
    }
  }
  events.push_back({at(10 + 50.0 * 60), RunEnd{}});
  const RunState state = stateAfter(events);
  const Verdict* slow = find(state, VerdictKind::Straggler);
  REQUIRE(slow != nullptr);
  CHECK(slow->ranks == std::vector<std::int64_t>{1});
}

TEST_CASE("who is late in one group because it waited in another is not slow, in whatever order that is read") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 3; ++rank) events.push_back(hello(0, rank, 3));
  addGroup(events, 1, 1, {0, 1});
  addGroup(events, 1, 2, {1, 2});
  const auto visit = [&events](std::int64_t rank, std::uint32_t group, std::uint32_t step, double from, double to) {
    const RecordFields reduce{SL_OP_ALLREDUCE, 0, step, step, 8, sl_operation(7, SL_NO_PEER), group};
    events.push_back(record(from, rank, SL_COLL_ENTER, reduce));
    events.push_back(record(to, rank, SL_COLL_LEAVE, reduce));
  };
  for (std::uint32_t step = 0; step < 40; ++step) {
    const double from = 10 + 60.0 * step;
    visit(0, 1, step, from + 1, from + 54);
    visit(1, 2, step, from + 1, from + 52);
    visit(1, 1, step, from + 53, from + 54);
    visit(2, 2, step, from + 51, from + 52);  // read after rank 1 left group 1
  }
  events.push_back({at(10 + 60.0 * 40), RunEnd{}});
  std::size_t slow = 0;
  for (const Verdict& verdict : stateAfter(events).verdicts) {
    if (verdict.kind != VerdictKind::Straggler) continue;
    ++slow;
    CHECK(verdict.ranks == std::vector<std::int64_t>{2});
  }
  CHECK(slow == 1);
}

TEST_CASE("work before an operation of another group makes a rank late, too") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  addGroup(events, 1, 1, {0});
  addGroup(events, 1, 2, {1});
  for (std::uint32_t step = 0; step < 40; ++step) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const double from = 10 + 100.0 * step + (rank == 1 ? 50 : 0);
      const auto own_group = static_cast<std::uint32_t>(rank + 1);
      const RecordFields own{SL_OP_ALLREDUCE, 0, step, step, 8, sl_operation(8, SL_NO_PEER), own_group};
      events.push_back(record(from, rank, SL_COLL_ENTER, own));
      events.push_back(record(from + 0.2, rank, SL_COLL_LEAVE, own));
      events.push_back(enter(from + 0.21, rank, step));
      events.push_back(leave(10 + 100.0 * step + 51, rank, step));
    }
  }
  events.push_back({at(4100), RunEnd{}});
  const RunState state = stateAfter(events);
  const Verdict* const slow = find(state, VerdictKind::Straggler);
  REQUIRE(slow != nullptr);
  CHECK(slow->ranks == std::vector<std::int64_t>{1});
  CHECK(says(slow, "Rank 1 comes last in 40 of 40 collectives"));
  CHECK(slow->message.find("do not tell") == std::string::npos);
}

TEST_CASE("what ranks waited for in one group is no pause of another group's first collective") {
  auto events = command();
  for (std::int64_t rank = 0; rank < 2; ++rank) events.push_back(hello(0, rank, 2));
  addGroup(events, 1, 1, {0, 1});
  for (std::uint32_t step = 0; step < 30; ++step) {
    const double from = 10 + 160.0 * step;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      const RecordFields reduce{SL_OP_ALLREDUCE, 0, step, step, 8, sl_operation(7, SL_NO_PEER), 1};
      events.push_back(record(from + (rank == 1 ? 150 : 0), rank, SL_COLL_ENTER, reduce));
      events.push_back(record(from + 152, rank, SL_COLL_LEAVE, reduce));
    }
  }
  const double end = 10 + 160.0 * 30;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    events.push_back(enter(end + 3.0 * static_cast<double>(rank), rank, 0));
    events.push_back(leave(end + 4, rank, 0));
  }
  events.push_back({at(end + 5), RunEnd{}});
  const RunState state = stateAfter(events);
  const Verdict* slow = find(state, VerdictKind::Straggler);
  REQUIRE(slow != nullptr);
  CHECK(slow->ranks == std::vector<std::int64_t>{1});
  CHECK(find(state, VerdictKind::Paused) == nullptr);
}

TEST_CASE("ranks that a broadcast held until a slow rank had come are not the slow ones") {
  // The data goes from rank 0 over rank 1 to rank 3; rank 2 gets it at once.
  auto events = command();
  for (std::int64_t rank = 0; rank < 4; ++rank) events.push_back(hello(0, rank, 4));
  for (std::uint32_t step = 0; step < 40; ++step) {
    const double from = 100.0 * step;
    const std::uint64_t handle = sl_operation(1000 + step, 0);
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double comes = from + (rank == 1 ? 60 : 1);
      const double goes = from + (rank == 2 ? 2 : 61);
      events.push_back(record(comes, rank, SL_COLL_ENTER, {SL_OP_BROADCAST, 0, step, step, 8, handle}));
      events.push_back(
          record(goes, rank, SL_COLL_LEAVE,
                 {SL_OP_BROADCAST, 0, step, step, static_cast<std::uint64_t>((goes - comes) * 1e6), handle}));
      addStep(events, rank, step, goes, 1, 5, from + 70);
    }
  }
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->ranks == std::vector<std::int64_t>{1});
  CHECK(verdict->gain_s == doctest::Approx(40 * 0.059).epsilon(0.05));
}

TEST_CASE("a rank for which all wait in the broadcast of each step is slow, be it the root or not") {
  for (const std::uint64_t ranks : {2, 4}) {
    const auto last = static_cast<std::int64_t>(ranks) - 1;
    for (const std::int64_t slow : {std::int64_t{0}, last}) {
      CAPTURE(ranks);
      CAPTURE(slow);
      auto events = command();
      for (std::int64_t rank = 0; rank <= last; ++rank) events.push_back(hello(0, rank, ranks));
      for (std::uint32_t step = 0; step < 40; ++step) {
        const double from = 100.0 * step + 1;
        const std::uint64_t handle = sl_operation(1000 + step, 0);
        for (std::int64_t rank = 0; rank <= last; ++rank) {
          const double load = rank == slow ? 60 : 1;
          const auto load_ns = static_cast<std::uint64_t>(load * 1e6);
          events.push_back(record(from, rank, SL_PHASE_BEGIN, {SL_PHASE_LOAD, 0, step}));
          events.push_back(record(from + load, rank, SL_PHASE_END, {SL_PHASE_LOAD, 0, step, 0, load_ns}));
          events.push_back(record(from + load, rank, SL_COLL_ENTER, {SL_OP_BROADCAST, 0, step, step, 8, handle}));
          events.push_back(record(from + 61, rank, SL_COLL_LEAVE, {SL_OP_BROADCAST, 0, step, step, 0, handle}));
          addStep(events, rank, step, from + 62, 0, 5, from + 70);
        }
      }
      const RunState state = stateAfter(events);
      const Verdict* verdict = find(state, VerdictKind::Straggler);
      REQUIRE(verdict != nullptr);
      CHECK(verdict->ranks == std::vector<std::int64_t>{slow});
      CHECK(verdict->gain_s == doctest::Approx(40 * 0.059).epsilon(0.05));
    }
  }
}

TEST_CASE("ranks that give different sizes to one collective are told apart, while it is open and after") {
  for (const bool is_over : {false, true}) {
    auto events = command();
    for (std::int64_t rank = 0; rank < 3; ++rank) events.push_back(hello(0, rank, 3));
    const auto add = [&](double ms, std::int64_t rank, std::uint16_t kind, std::uint64_t seq, std::uint64_t bytes) {
      events.push_back(record(ms, rank, kind, {SL_OP_BROADCAST, 0, 0, seq, bytes, sl_operation(9, 0)}));
    };
    for (std::uint64_t seq = 0; seq < 3; ++seq) {
      for (std::int64_t rank = 0; rank < 3; ++rank) {
        const double at_ms = 10 + static_cast<double>(seq);
        add(at_ms, rank, SL_COLL_ENTER, seq, seq == 1 && rank == 1 ? 24 : seq == 2 && rank == 1 ? 0 : 32);
        if (is_over || seq < 1) add(at_ms + 0.5, rank, SL_COLL_LEAVE, seq, 0);
      }
    }
    const RunState state = stateAfter(events);
    const Verdict* verdict = find(state, VerdictKind::Mismatch);
    REQUIRE(verdict != nullptr);
    CHECK(verdict->rank == 1);
    CHECK(verdict->message ==
          "All ranks must give the same size to broadcast #1. Rank 1: 24 bytes; Ranks 0 and 2: 32 bytes.");
  }
}
