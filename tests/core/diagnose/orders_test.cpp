// SPDX-License-Identifier: Apache-2.0
// Ranks that call the operations of their group in different orders: who is to blame, and those that begin operations
// and go on, as with MPI_Iallreduce, so that they come to all of them.
#include "core/diagnose/reducer.h"
#include "core/diagnose/verdicts.h"
#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

constexpr std::uint32_t kGroup = 7;

/// Four ranks that queue these two operations, one of them the other way round if `is_swapped`; none ends.
std::vector<Event> queued(bool is_swapped) {
  std::vector<Event> events = {begin(4)};
  addGroup(events, 0, kGroup, {0, 1, 2, 3}, "all");
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const bool is_other = is_swapped && rank == 2;
    const double from = 10 + static_cast<double>(rank);
    events.push_back(record(is_other ? from + 0.5 : from, rank, SL_COLL_ENTER,
                            {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER), kGroup}));
    events.push_back(record(is_other ? from : from + 0.5, rank, SL_COLL_ENTER,
                            {SL_OP_BROADCAST, 0, 0, 0, 0, sl_operation(2, 0), kGroup}));
  }
  return events;
}

/// The state at this moment.
RunState stateAt(std::vector<Event> events, double ms) {
  events.push_back({at(ms), Tick{}});
  Reducer reducer;
  for (const Event& event : events) reducer.apply(event);
  return reducer.snapshot();
}

const Verdict* find(const RunState& state, VerdictKind kind) {
  const auto found = std::find_if(state.verdicts.begin(), state.verdicts.end(),
                                  [kind](const Verdict& verdict) { return verdict.kind == kind; });
  return found == state.verdicts.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a rank that queued two operations in another order is named once none goes on") {
  CHECK(find(stateAt(queued(true), 1000), VerdictKind::Mismatch) == nullptr);
  const RunState state = stateAt(queued(true), 30'000);
  const Verdict* const verdict = find(state, VerdictKind::Mismatch);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == 2);
  CHECK(verdict->message.find("ranks 0, 1 and 3 are in all_reduce and rank 2 in broadcast") != std::string::npos);
  CHECK(verdict->evidence.find("all_reduce #0 of group all and broadcast #0 of group all (each operation has its own "
                               "count, from 0)") != std::string::npos);
}

TEST_CASE("ranks that queued their operations in one order are stuck in the first one") {
  const RunState state = stateAt(queued(false), 30'000);
  CHECK(find(state, VerdictKind::Mismatch) == nullptr);
  REQUIRE(find(state, VerdictKind::Stalled) != nullptr);
  CHECK(find(state, VerdictKind::Stalled)->message.find("inside all_reduce") != std::string::npos);
  CHECK(find(state, VerdictKind::Stalled)->next.find("would look the same") != std::string::npos);
}

TEST_CASE("ranks that are stuck in operations of different groups are not said to be in one") {
  std::vector<Event> events = {begin(4)};
  addGroup(events, 1, 7, {0, 1}, "a");
  addGroup(events, 1, 8, {2, 3}, "b");
  for (std::int64_t rank = 0; rank < 4; ++rank)
    events.push_back(record(10 + static_cast<double>(rank), rank, SL_COLL_ENTER,
                            {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER), rank < 2 ? 7U : 8U}));
  const RunState state = stateAt(events, 30'000);
  const Verdict* const verdict = find(state, VerdictKind::Stalled);
  REQUIRE(verdict != nullptr);
  CHECK(verdict->rank == -1);
  CHECK(verdict->message ==
        "Ranks 0 to 3 have been waiting for 30\u202fs, in different operations: rank 0 in all_reduce #0 of group a, "
        "rank 1 in all_reduce #0 of group a, rank 2 in all_reduce #0 of group b, rank 3 in all_reduce #0 of group b.");
}

TEST_CASE("operations that a rank has left are in order") {
  std::vector<Event> events = queued(true);
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    events.push_back(
        record(20, rank, SL_COLL_LEAVE, {SL_OP_ALLREDUCE, 0, 0, 0, 0, sl_operation(1, SL_NO_PEER), kGroup}));
  }
  CHECK(find(stateAt(events, 30'000), VerdictKind::Mismatch) == nullptr);
}

namespace {

constexpr double kStepMs = 100;

RecordFields in(std::uint16_t op, std::uint32_t step, std::uint64_t seq, std::uint64_t bytes) {
  return {op, 0, step, seq, bytes, sl_operation(op, SL_NO_PEER)};
}

/// So many steps of each rank: an all_reduce of 264 bytes, and after every fourth one of 4.
std::vector<Event> steps(std::int64_t ranks, std::uint32_t count) {
  std::vector<Event> events = {begin(ranks)};
  std::uint64_t seq = 0;
  for (std::uint32_t step = 0; step < count; ++step) {
    const int calls = step % 4 == 3 ? 2 : 1;
    for (int call = 0; call < calls; ++call, ++seq) {
      const double from = kStepMs * step + 10 * call;
      const std::uint64_t bytes = call == 0 ? 264 : 4;
      for (std::int64_t rank = 0; rank < ranks; ++rank)
        events.push_back(record(from, rank, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, step, seq, bytes)));
      for (std::int64_t rank = 0; rank < ranks; ++rank)
        events.push_back(record(from + 5, rank, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, step, seq, bytes)));
    }
  }
  return events;
}

const Verdict& mismatch(const RunState& state) {
  const Verdict* const verdict = find(state, VerdictKind::Mismatch);
  REQUIRE(verdict != nullptr);
  return *verdict;
}

bool says(const Verdict& verdict, const std::string& text) {
  return verdict.message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("of two ranks in different collectives, the one is wrong that is not where both were before") {
  for (const std::int64_t wrong : {0, 1}) {
    std::vector<Event> events = steps(2, 12);
    events.push_back(record(1210, wrong, SL_COLL_ENTER, in(SL_OP_BARRIER, 12, 0, 0)));
    events.push_back(record(1220, 1 - wrong, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 12, 15, 264)));
    const Verdict verdict = mismatch(stateAt(events, 1300));
    CHECK(verdict.ranks == std::vector<std::int64_t>{wrong});
    CHECK(says(verdict, " Each time before, the same operations were followed by all_reduce."));
  }
}

TEST_CASE("a rank that came to another collective because it handles an exception is said to do so") {
  std::vector<Event> events = steps(3, 1);
  events.push_back(record(110, 2, SL_COLL_ENTER, in(SL_OP_BARRIER, 1, 0, 0)));
  for (const std::int64_t rank : {0, 1})
    events.push_back(record(120, rank, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  RankStack stack;
  stack.rank = 2;
  stack.taken_ns = at(1200);
  stack.frames = {{"main", "/home/me/train.py", 91, "dist.barrier()", true}};
  stack.exception = {"ValueError: no number", "/home/me/train.py", 41};
  events.push_back({at(1200), stack});
  CHECK(says(mismatch(stateAt(events, 1300)),
             " Rank 2 handles an exception (ValueError: no number), raised at train.py:41."));
}

TEST_CASE("of two ranks in different collectives, neither is blamed where the past does not tell") {
  std::vector<Event> events = steps(2, 1);
  events.push_back(record(110, 0, SL_COLL_ENTER, in(SL_OP_BARRIER, 1, 0, 0)));
  events.push_back(record(120, 1, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  const Verdict verdict = mismatch(stateAt(events, 200));
  CHECK(verdict.rank == -1);
  CHECK(verdict.ranks.empty());
  CHECK(says(verdict, "rank 0 is in barrier and rank 1 in all_reduce."));
}

TEST_CASE("the first of several ranks in another collective than one is not blamed before the others have come") {
  std::vector<Event> events = steps(4, 1);
  events.push_back(record(110, 2, SL_COLL_ENTER, in(SL_OP_BARRIER, 1, 0, 0)));
  events.push_back(record(120, 0, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  CHECK(mismatch(stateAt(events, 130)).rank == -1);
  events.push_back(record(140, 1, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  CHECK(mismatch(stateAt(events, 150)).rank == -1);  // rank 3 may come to the barrier
  CHECK(mismatch(stateAt(events, 30'000)).ranks == std::vector<std::int64_t>{2});
  events.push_back(record(160, 3, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  CHECK(mismatch(stateAt(events, 170)).ranks == std::vector<std::int64_t>{2});
}

TEST_CASE("whom to blame is said once, though it is known only when the job is over") {
  std::vector<Event> events = steps(4, 1);
  events.push_back(record(110, 2, SL_COLL_ENTER, in(SL_OP_BARRIER, 1, 0, 0)));
  for (const std::int64_t rank : {0, 1})
    events.push_back(record(120, rank, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  events.push_back({at(150), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(160), RunEnd{JobStatus::Stopped, 4, "The user stopped the job."}});
  const RunState state = stateAt(events, 170);
  CHECK(mismatch(state).ranks == std::vector<std::int64_t>{2});
  CHECK(std::ranges::count(state.verdicts, VerdictKind::Mismatch, &Verdict::kind) == 1);
}

TEST_CASE("of two ranks that give different sizes, the one is wrong that does not give what both gave before") {
  for (const std::uint64_t bytes : {8, 2}) {
    std::vector<Event> events = steps(2, 12);
    events.pop_back();  // the last all_reduce of 4 bytes
    events.pop_back();
    const auto last = events.end() - 2;
    std::get<RankRecord>(last->what).record.a = bytes;
    const Verdict verdict = mismatch(stateAt(events, 1300));
    CHECK(verdict.ranks == std::vector<std::int64_t>{0});
    CHECK(says(verdict, " Each time before, the size after the same operations was 4 bytes."));
  }
}

TEST_CASE("a rank that leaves out a call is wrong, though what it came to instead is usual, too") {
  std::vector<Event> events = steps(2, 11);
  events.push_back(record(1100, 0, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 11, 13, 264)));
  events.push_back(record(1100, 1, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 11, 13, 264)));
  for (std::int64_t rank = 0; rank < 2; ++rank)
    events.push_back(record(1105, rank, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 11, 13, 264)));
  events.push_back(record(1110, 0, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 11, 14, 4)));
  events.push_back(record(1200, 1, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 12, 14, 264)));  // of the next step
  CHECK(mismatch(stateAt(events, 1300)).ranks == std::vector<std::int64_t>{1});
}

TEST_CASE("a rank that ran out and gives its next collective another size ran out") {
  std::vector<Event> events = steps(2, 5);
  events.push_back(record(410, 1, SL_EPOCH_END, {0, 0, 4, 0, 5}));
  events.push_back(record(420, 1, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 4, 6, 1000)));
  events.push_back(record(500, 0, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 5, 6, 264)));
  const Verdict verdict = mismatch(stateAt(events, 600));
  CHECK(verdict.ranks == std::vector<std::int64_t>{1});
  CHECK(verdict.title == "Rank 1 ran out of batches");
  CHECK(says(verdict, "Rank 1 ran out at step 0 of epoch 0, so all_reduce #6 is not the same call for all ranks."));
}

TEST_CASE("a rank that leaves out a broadcast, which the others have left, is named once none goes on") {
  for (const std::int64_t ranks : {2, 4}) {
    std::vector<Event> events = steps(ranks, 12);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      // In each step: which is why of two ranks the one without it is wrong.
      for (std::uint32_t step = 0; step < 12; ++step) {
        const RecordFields call{SL_OP_BROADCAST, 0, step, step, 32, sl_operation(SL_OP_BROADCAST, 0)};
        events.push_back(record(kStepMs * step + 20, rank, SL_COLL_ENTER, call));
        events.push_back(record(kStepMs * step + 25, rank, SL_COLL_LEAVE, call));
      }
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      events.push_back(record(1200, rank, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 12, 15, 264)));
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      events.push_back(record(1205, rank, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 12, 15, 264)));
    const RecordFields call{SL_OP_BROADCAST, 0, 12, 12, 32, sl_operation(SL_OP_BROADCAST, 0)};
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      if (rank == 1) continue;
      events.push_back(record(1220, rank, SL_COLL_ENTER, call));
      events.push_back(record(1225, rank, SL_COLL_LEAVE, call));
    }
    for (std::int64_t rank = 0; rank < ranks; ++rank)
      events.push_back(record(1300, rank, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 13, 16, 264)));
    CHECK(find(stateAt(events, 1400), VerdictKind::Mismatch) == nullptr);  // it may go on
    const Verdict verdict = mismatch(stateAt(events, 30'000));
    CHECK(verdict.ranks == std::vector<std::int64_t>{1});
    CHECK(verdict.title == "Ranks call their collectives in different orders");
    CHECK(says(verdict, "broadcast #12 first, rank 1 reached all_reduce #16. Rank 1 has not reached broadcast #12."));
  }
}

TEST_CASE("a root that is ahead in its broadcasts is in order") {
  std::vector<Event> events = steps(2, 1);
  for (std::uint32_t seq = 0; seq < 3; ++seq) {
    const RecordFields call{SL_OP_BROADCAST, 0, 1, seq, 32, sl_operation(SL_OP_BROADCAST, 0)};
    events.push_back(record(100 + seq, 0, SL_COLL_ENTER, call));
    events.push_back(record(100.5 + seq, 0, SL_COLL_LEAVE, call));
    if (seq == 0) events.push_back(record(100 + seq, 1, SL_COLL_ENTER, call));
  }
  events.push_back(record(110, 0, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 1, 264)));
  CHECK(find(stateAt(events, 30'000), VerdictKind::Mismatch) == nullptr);
}
