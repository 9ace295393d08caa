// SPDX-License-Identifier: Apache-2.0
// The reducer where ranks meet in groups, in pairs, and in several operations at once.
#include "core/diagnose/group_table.h"
#include "core/diagnose/reducer.h"
#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;

RunState stateAfter(const std::vector<Event>& events) {
  Reducer reducer;
  for (const Event& event : events) reducer.apply(event);
  return reducer.snapshot();
}

const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

bool says(const Verdict* verdict, const std::string& text) {
  return verdict != nullptr && (verdict->message.find(text) != std::string::npos || verdict->title == text);
}

RecordFields in(std::uint32_t group, std::uint16_t op, std::uint64_t seq, std::uint32_t peer = SL_NO_PEER,
                std::uint32_t handle = 1) {
  return {op, 0, 0, seq, 0, sl_operation(handle, peer), group};
}

void enter(std::vector<Event>& events, double ms, std::int64_t rank, const RecordFields& fields) {
  events.push_back(record(ms, rank, SL_COLL_ENTER, fields));
}
void leave(std::vector<Event>& events, double ms, std::int64_t rank, const RecordFields& fields) {
  events.push_back(record(ms, rank, SL_COLL_LEAVE, fields));
}

/// A world of four with the tensor groups 0-1 and 2-3, and the data groups 0,2 and 1,3.
std::vector<Event> grid() {
  std::vector<Event> events = {begin(4)};
  addGroup(events, 0, 1, {0, 1}, "tensor-0");
  addGroup(events, 0, 2, {2, 3}, "tensor-1");
  addGroup(events, 0, 3, {0, 2}, "data-0");
  addGroup(events, 0, 4, {1, 3}, "data-1");
  return events;
}

void compute(std::vector<Event>& events, std::int64_t rank, double from, double length) {
  events.push_back(record(from, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE}));
  events.push_back(
      record(from + length, rank, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 0, 0, static_cast<std::uint64_t>(length * kMs)}));
}

}  // namespace

TEST_CASE("two disjoint groups: each waits for its own last member only") {
  auto events = grid();
  const std::vector<double> arrivals = {10, 14, 20, 50};
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const auto fields = in(rank < 2 ? 1 : 2, SL_OP_ALLREDUCE, 0);
    enter(events, arrivals[std::size_t(rank)], rank, fields);
    leave(events, rank < 2 ? 16 : 51, rank, fields);
  }
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].wait_ns == 4 * kMs);
  CHECK(state.ranks[0].transfer_ns == 2 * kMs);
  CHECK(state.ranks[1].wait_ns == 0);
  CHECK(state.ranks[2].wait_ns == 30 * kMs);
  CHECK(state.ranks[3].transfer_ns == 1 * kMs);
  CHECK(state.clock_error_us == 0.0);
  REQUIRE(state.groups.size() == 4);
  CHECK(state.groups[0].name == "tensor-0");
  CHECK(*state.groups[3].members == std::vector<std::int64_t>{1, 3});
  CHECK(state.verdicts.empty());
}

TEST_CASE("overlapping groups: who all wait for is found through the ranks that wait for others") {
  auto events = grid();
  // Rank 3 computes; 2 waits for it in their tensor group, 1 in their data group, and 0 waits for 2.
  events.push_back(record(5, 3, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE, 0, 9}));
  enter(events, 10, 2, in(2, SL_OP_ALLREDUCE, 0));
  enter(events, 11, 1, in(4, SL_OP_ALLREDUCE, 0));
  RunState state = stateAfter(events);
  CHECK_FALSE(state.waiting_for);  // rank 0 is not known to wait
  enter(events, 12, 0, in(3, SL_OP_ALLGATHER, 0));
  state = stateAfter(events);
  CHECK(state.waiting_for == 3);
  CHECK_FALSE(state.deadlocked);
  CHECK(statusText(state.ranks[0]) == "in all_gather of group data-0");
  events.push_back({at(12'000), Tick{}});
  state = stateAfter(events);
  CHECK(find(state, VerdictKind::Stalled)->rank == 3);
  CHECK(says(find(state, VerdictKind::Stalled), "Ranks 0 to 2 wait for it in different operations."));
  CHECK_FALSE(state.deadlocked);
}

TEST_CASE("who waits for a stopped rank is said of its own group; a rank of another group waits for others") {
  auto events = grid();
  for (std::int64_t rank = 0; rank < 4; ++rank)
    events.push_back({at(1), RankProcess{rank, 100 + rank, ProcessState::Running, "here"}});
  enter(events, 10, 0, in(3, SL_OP_ALLREDUCE, 0));  // a moment before rank 2 comes
  enter(events, 11, 3, in(4, SL_OP_ALLREDUCE, 0));
  events.push_back({at(12), RankProcess{1, 101, ProcessState::Stopped, "here"}});
  RunState state = stateAfter(events);
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)->rank == 1);
  CHECK(says(find(state, VerdictKind::Stalled), " Rank 3 waits for it in all_reduce of group data-1."));
  CHECK_FALSE(says(find(state, VerdictKind::Stalled), "Ranks"));
  enter(events, 13, 2, in(2, SL_OP_ALLREDUCE, 0));  // and through rank 3 also rank 2 waits, and through that rank 0
  state = stateAfter(events);
  CHECK(says(find(state, VerdictKind::Stalled), " Ranks 0, 2 and 3 wait for it in different operations."));
}

TEST_CASE("a straggler of one group is named with its group, although other groups have none") {
  auto events = grid();
  for (int i = 0; i < 12; ++i) {
    const double from = 100.0 * i;
    for (std::int64_t rank = 0; rank < 4; ++rank) {
      const double length = rank == 3 ? 60 : 10 + double(rank);
      compute(events, rank, from, length);
      const auto fields = in(rank < 2 ? 1 : 2, SL_OP_ALLREDUCE, std::uint64_t(i));
      enter(events, from + length, rank, fields);
      leave(events, from + 70, rank, fields);
    }
  }
  const RunState state = stateAfter(events);
  const Verdict* verdict = find(state, VerdictKind::Straggler);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 3);
  CHECK(verdict->title == "All of group tensor-1 wait for rank 3");
  CHECK(says(verdict, "12 of 12 collectives of group tensor-1, 48\u202fms after the others"));
  CHECK(state.arrivals[3].last_in == 12);
  CHECK(state.arrivals[0].last_in == 0);
  CHECK(state.arrivals[1].median_ms == doctest::Approx(1));
}

TEST_CASE("ranks of one group in different collectives are a deadlock at once; across groups a circle is one in time") {
  auto events = grid();
  enter(events, 10, 0, in(1, SL_OP_ALLREDUCE, 0));
  enter(events, 11, 1, in(1, SL_OP_BARRIER, 0));
  const RunState mixed = stateAfter(events);
  CHECK(mixed.deadlocked);
  CHECK(says(find(mixed, VerdictKind::Mismatch), "At the same point of group tensor-0"));

  events.insert(events.end() - 1, {at(10), FramesDamaged{48}});  // perhaps of rank 1's all-reduce
  CHECK_FALSE(stateAfter(events).deadlocked);

  events = grid();
  // 0 waits for 1 in a tensor group, 1 for 3 in a data group, 3 for 2 in a tensor group, 2 for 0 in a data group.
  enter(events, 10, 0, in(1, SL_OP_ALLREDUCE, 0));
  enter(events, 10, 1, in(4, SL_OP_ALLREDUCE, 0));
  enter(events, 10, 3, in(2, SL_OP_ALLREDUCE, 0));
  enter(events, 10, 2, in(3, SL_OP_ALLREDUCE, 0));
  CHECK_FALSE(stateAfter(events).deadlocked);  // they may still be in other operations at the same time
  CHECK(stateAfter(events).none_can_go_on);
  CHECK_FALSE(stateAfter(events).waiting_for);
  events.push_back({at(12'000), Tick{}});
  const RunState circle = stateAfter(events);
  CHECK(circle.deadlocked);
  CHECK(says(find(circle, VerdictKind::Mismatch), "Ranks wait for each other"));
  CHECK(says(find(circle, VerdictKind::Mismatch), "rank 0 in all_reduce #0 of group tensor-0"));
}

TEST_CASE("ranks that are about to leave an operation of their own group wait for no rank of another") {
  std::vector<Event> events = {begin(4)};
  addGroup(events, 1, 1, {0, 2});
  addGroup(events, 1, 2, {1, 3});
  enter(events, 10, 3, in(2, SL_OP_ALLREDUCE, 0));
  enter(events, 11, 0, in(1, SL_OP_ALLREDUCE, 0));
  enter(events, 12, 2, in(1, SL_OP_ALLREDUCE, 0));
  CHECK_FALSE(stateAfter(events).waiting_for);  // only rank 3 waits for rank 1
}

TEST_CASE("a recv waits for its send, and a missing sender is who all wait for") {
  std::vector<Event> events = {begin(2)};
  enter(events, 10, 1, in(0, SL_OP_RECV, 0, 0));
  RunState state = stateAfter(events);
  CHECK(state.waiting_for == 0);
  CHECK(statusText(state.ranks[1]) == "in recv from rank 0");
  enter(events, 30, 0, in(0, SL_OP_SEND, 0, 1));
  leave(events, 31, 0, in(0, SL_OP_SEND, 0, 1));
  leave(events, 33, 1, in(0, SL_OP_RECV, 0, 0));
  state = stateAfter(events);
  CHECK(state.ranks[1].wait_ns == 20 * kMs);
  CHECK(state.ranks[1].transfer_ns == 3 * kMs);
  CHECK(state.ranks[0].wait_ns == 0);
  CHECK_FALSE(state.waiting_for);
}

TEST_CASE("time in operations that run beside each other, or beside a phase, is counted once") {
  std::vector<Event> events = {begin(2)};
  for (const std::int64_t rank : {0, 1}) {
    const double late = rank == 1 ? 30 : 0;
    enter(events, 10 + late, rank, in(0, SL_OP_ALLREDUCE, 0, SL_NO_PEER, 1));
    enter(events, 12 + late, rank, in(0, SL_OP_ALLREDUCE, 1, SL_NO_PEER, 2));
    leave(events, 50, rank, in(0, SL_OP_ALLREDUCE, 0, SL_NO_PEER, 1));
    leave(events, 55, rank, in(0, SL_OP_ALLREDUCE, 1, SL_NO_PEER, 2));
  }
  RunState state = stateAfter(events);
  CHECK(state.ranks[0].wait_ns == 30 * kMs);
  CHECK(state.ranks[0].wait_ns + state.ranks[0].transfer_ns == 45 * kMs);  // from 10 to 55
  for (const Lane& lane : state.recent.lanes) {
    for (std::size_t i = 1; i < lane.spans.size(); ++i) CHECK(lane.spans[i].begin_ns >= lane.spans[i - 1].end_ns);
  }

  events = {begin(2)};
  for (const std::int64_t rank : {0, 1}) {
    events.push_back(record(0, rank, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE}));
    enter(events, rank == 0 ? 2 : 8, rank, in(0, SL_OP_ALLREDUCE, 0));
    leave(events, 9, rank, in(0, SL_OP_ALLREDUCE, 0));
    events.push_back(record(20, rank, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 0, 0, 20 * kMs}));
  }
  state = stateAfter(events);
  CHECK(state.ranks[0].compute_ns == 20 * kMs);
  CHECK(state.ranks[0].wait_ns + state.ranks[0].transfer_ns == 0);
}

TEST_CASE("a group that nobody has described is shown, not judged, and said to be not known") {
  std::vector<Event> events = {begin(3)};
  enter(events, 10, 0, in(6, SL_OP_ALLREDUCE, 0));
  enter(events, 10, 1, in(6, SL_OP_BARRIER, 0));
  RunState state = stateAfter(events);
  CHECK_FALSE(state.deadlocked);
  CHECK_FALSE(state.waiting_for);
  CHECK(statusText(state.ranks[0]) == "in all_reduce of group 6");
  CHECK(says(find(state, VerdictKind::Lost), "1 group whose members no record lists"));
  REQUIRE(state.groups.size() == 1);
  CHECK(state.groups[0].members == nullptr);

  addGroup(events, 11, 6, {0, 1, 2});
  state = stateAfter(events);
  CHECK(state.deadlocked);
  CHECK(find(state, VerdictKind::Lost) == nullptr);
}

TEST_CASE("times of two clocks are compared when their offset is known, with its error; else they are not") {
  const auto run = [](bool is_known) {
    std::vector<Event> events = {begin(2)};
    if (is_known) events.push_back({kStart, RunClock{1, "n1", ClockOffset{5'000 * kMs, 40'000}}});
    for (const std::int64_t rank : {0, 1}) {
      const double shift = rank == 1 ? 5'000 : 0;
      const auto from = static_cast<std::ptrdiff_t>(events.size());
      enter(events, shift + (rank == 1 ? 40 : 10), rank, in(0, SL_OP_ALLREDUCE, 0));
      leave(events, shift + 45, rank, in(0, SL_OP_ALLREDUCE, 0));
      std::for_each(events.begin() + from, events.end(),
                    [rank](Event& event) { event.clock = static_cast<std::uint32_t>(rank); });
    }
    return stateAfter(events);
  };
  const RunState known = run(true);
  CHECK(known.ranks[0].wait_ns == 30 * kMs);
  CHECK(known.ranks[1].wait_ns == 0);
  CHECK(known.elapsed_ns == 45 * kMs);
  CHECK(known.clock_error_us == doctest::Approx(40));
  CHECK(find(known, VerdictKind::Lost) == nullptr);
  std::vector<Event> absurd = {begin(1), {-5, Tick{}, 3}, {std::numeric_limits<std::int64_t>::min(), Tick{}, 4}};
  CHECK(stateAfter(absurd).elapsed_ns == 0);
  const RunState unknown = run(false);
  CHECK(unknown.ranks[0].wait_ns == 0);
  CHECK(unknown.ranks[0].transfer_ns == 0);
  CHECK(unknown.ranks[0].collectives == 1);
  CHECK_FALSE(unknown.clock_error_us);
  CHECK(says(find(unknown, VerdictKind::Lost), "Clocks cannot be compared"));
  CHECK(unknown.elapsed_ns < 1000 * kMs);
  CHECK_FALSE(Reducer().snapshot().clock_error_us);
}

TEST_CASE("ranks that wait for one that is done are told so, not that all are inside") {
  std::vector<Event> events = {begin(3)};
  for (const std::int64_t rank : {0, 2}) enter(events, 10, rank, in(0, SL_OP_ALLREDUCE, 0));
  events.push_back(record(11, 1, SL_BYE));
  CHECK_FALSE(stateAfter(events).deadlocked);
  events.push_back({at(12'000), Tick{}});
  const RunState state = stateAfter(events);
  CHECK(state.deadlocked);
  CHECK(find(state, VerdictKind::Stalled) == nullptr);
  REQUIRE(find(state, VerdictKind::Mismatch) != nullptr);
  CHECK(find(state, VerdictKind::Mismatch)->rank == 1);
  CHECK(says(find(state, VerdictKind::Mismatch), "Rank 1 is done. Ranks 0 and 2 wait for it in all_reduce."));
}

TEST_CASE("a rank whose good-bye found the ring full is done, and not dead") {
  std::vector<Event> events = {begin(1), record(1, 0, SL_HELLO)};
  events.push_back(slot(50, 0, SL_PHASE_DONE, 50));
  events.push_back({at(60), RankProcess{0, 500, ProcessState::Gone, "here"}});
  const RunState state = stateAfter(events);
  CHECK(state.ranks[0].status == RankStatus::Done);
  CHECK(find(state, VerdictKind::Dead) == nullptr);
}

TEST_CASE("records in any order and of any content break no sum") {
  std::mt19937_64 random(7);
  const auto below = [&random](std::uint64_t most) { return random() % most; };
  std::vector<Event> events = {begin(4)};
  for (int i = 0; i < 20'000; ++i) {
    sl_record raw{};
    raw.time_ns = static_cast<std::uint64_t>(at(double(i) / 10)) - below(1000) * kMs;
    raw.kind = static_cast<std::uint16_t>(below(SL_DRAWN + 2));
    raw.op = static_cast<std::uint16_t>(below(4) == 0 ? SL_OP_SEND + below(2) : below(SL_OP_SCATTER + 2));
    raw.group = static_cast<std::uint32_t>(below(3));
    raw.seq = below(below(10) == 0 ? ~std::uint64_t{0} : 5);
    raw.a = below(below(10) == 0 ? ~std::uint64_t{0} : 5);
    raw.b = below(3) == 0 ? random()
                          : sl_operation(static_cast<std::uint32_t>(below(3)), static_cast<std::uint32_t>(below(5)));
    if (raw.kind == SL_BYE && below(200) != 0) continue;
    events.push_back({static_cast<std::int64_t>(raw.time_ns), RankRecord{static_cast<std::int64_t>(below(5)), raw},
                      static_cast<std::uint32_t>(below(50) == 0 ? 1 : 0)});
    if (below(30) == 0) {
      RankSlot shown{static_cast<std::int64_t>(below(4)), {}};
      shown.slot = {0, std::uint32_t(below(5)), raw.op, raw.group, 1, 1, 0, 0, raw.seq, raw.time_ns, raw.time_ns};
      events.push_back({static_cast<std::int64_t>(raw.time_ns), shown});
    }
  }
  Reducer reducer;
  for (std::size_t i = 0; i < events.size(); ++i) {
    reducer.apply(events[i]);
    if (i % 500 != 0) continue;
    const RunState state = reducer.snapshot();
    for (const RankState& rank : state.ranks) {
      CHECK(rank.wait_ns >= 0);
      CHECK(rank.transfer_ns >= 0);
      CHECK(rank.open_operations >= 0);
    }
    for (const Verdict& verdict : state.verdicts) CHECK_FALSE(verdict.message.empty());
  }
  CHECK(reducer.snapshot().ranks[0].collectives > 100);
}

TEST_CASE("a group that gets another name has that one") {
  GroupTable groups(4);
  for (const std::string name : {"ranks 0, 2 and more than 16 letters", "even"}) {
    for (const sl_record& one : groupRecords(7, {0, 2}, name)) (void)groups.record(0, one);
    CHECK(groups.name(7) == name);
  }
}

TEST_CASE("no rank can go on where those that have not finished are in operations that others are not in") {
  std::vector<Event> events = {begin(3)};
  CHECK_FALSE(stateAfter(events).none_can_go_on);
  enter(events, 10, 0, in(0, SL_OP_BROADCAST, 0, 0));
  enter(events, 10, 1, in(0, SL_OP_BROADCAST, 0, 0));
  CHECK_FALSE(stateAfter(events).none_can_go_on);  // rank 2 may come
  std::vector<Event> in_another = events;
  enter(in_another, 11, 2, in(0, SL_OP_BARRIER, 0));
  CHECK(stateAfter(in_another).none_can_go_on);
  std::vector<Event> in_itself = events;
  enter(in_itself, 11, 2, in(0, SL_OP_SEND, 0, 2));
  CHECK(stateAfter(in_itself).none_can_go_on);
  std::vector<Event> done = events;
  done.push_back(record(11, 2, SL_BYE));
  CHECK(stateAfter(done).none_can_go_on);
  std::vector<Event> gave_up = events;
  gave_up.push_back(record(11, 2, SL_BYE, {0, 0, 0, 0, 1}));
  CHECK_FALSE(stateAfter(gave_up).none_can_go_on);  // its launcher may end the job
  enter(events, 11, 2, in(0, SL_OP_BROADCAST, 0, 0));
  CHECK_FALSE(stateAfter(events).none_can_go_on);  // all are in it
  leave(done, 19, 0, in(0, SL_OP_BROADCAST, 0, 0));
  CHECK_FALSE(stateAfter(done).none_can_go_on);  // rank 0 went on
}
