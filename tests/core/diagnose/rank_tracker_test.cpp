// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// One rank; times in milliseconds.
struct Rank {
  RankTracker tracker{0, 1000};
  Deaths deaths{1};

  void tell(double ms, std::uint16_t kind, const RecordFields& fields = {}) {
    tracker.record(std::get<RankRecord>(record(ms, 0, kind, fields).what).record);
  }
  void show(double ms, std::uint32_t phase, double since_ms, const RecordFields& fields = {}) {
    tracker.slot(std::get<RankSlot>(slot(ms, 0, phase, since_ms, fields).what).slot);
  }
  [[nodiscard]] std::vector<Interval> alone() const { return {tracker.alone().begin(), tracker.alone().end()}; }
  [[nodiscard]] RankState state() const { return tracker.at(at(1000), kStart, deaths.of(0)); }
};

RecordFields in(std::uint16_t op, std::uint64_t seq, std::uint32_t handle, std::uint32_t group = SL_WORLD) {
  return {op, 0, 0, seq, 0, sl_operation(handle, SL_NO_PEER), group};
}

constexpr std::int64_t kMs = 1'000'000;

}  // namespace

TEST_CASE("of several open operations the state names the one that has been open longest") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(12, SL_COLL_ENTER, in(SL_OP_ALLGATHER, 0, 2, 7));
  RankState state = rank.state();
  CHECK(state.status == RankStatus::InCollective);
  CHECK(state.open_operations == 2);
  CHECK(state.operation->op == SL_OP_ALLREDUCE);
  CHECK(state.since_ns == 10 * kMs);
  rank.tell(20, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 0, 1));
  CHECK(rank.alone() == std::vector<Interval>{{at(10), at(20)}});
  state = rank.state();
  CHECK(state.operation->op == SL_OP_ALLGATHER);
  CHECK(state.operation->group == 7);
  CHECK(state.since_ns == 20 * kMs);  // from then on it was what the rank was in
  rank.tell(30, SL_COLL_LEAVE, in(SL_OP_ALLGATHER, 0, 2, 7));
  CHECK(rank.alone() == std::vector<Interval>{{at(20), at(30)}});
  CHECK(rank.state().status == RankStatus::Between);
  CHECK(rank.state().collectives == 2);
}

TEST_CASE("an operation that ends behind an older one, or beside a phase, took none of the rank's time") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(11, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 2));
  rank.tell(15, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 1, 2));
  CHECK(rank.alone().empty());
  rank.tell(20, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 0, 1));
  CHECK(rank.alone() == std::vector<Interval>{{at(10), at(20)}});

  rank.tell(30, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE});
  rank.tell(32, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.state().status == RankStatus::Computing);
  CHECK_FALSE(rank.tracker.isBlocked());
  CHECK(rank.state().operation->seq == 2);
  rank.tell(40, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 0, 0, 10 * kMs});
  CHECK(rank.state().status == RankStatus::InCollective);
  CHECK(rank.tracker.isBlocked());
  rank.tell(45, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.alone() == std::vector<Interval>{{at(40), at(45)}});
}

TEST_CASE(
    "the time alone in an operation survives a phase that began after it, or during it, and is read before its end") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(40, SL_PHASE_BEGIN, {SL_PHASE_LOAD});
  rank.tell(39, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 0, 1));
  CHECK(rank.alone() == std::vector<Interval>{{at(10), at(39)}});
  rank.tell(50, SL_PHASE_END, {SL_PHASE_LOAD, 0, 0, 0, 10 * kMs});

  rank.tell(60, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 2));
  rank.tell(70, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE});
  rank.tell(80, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 0, 0, 10 * kMs});
  rank.tell(95, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 1, 2));
  CHECK(rank.alone() == std::vector<Interval>{{at(60), at(70)}, {at(80), at(95)}});

  rank.tell(100, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 2, 3));
  rank.show(130, SL_PHASE_LOAD, 125);  // the slot knows of the next load before the ring is read
  rank.tell(120, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.alone() == std::vector<Interval>{{at(100), at(120)}});
}

TEST_CASE("after lost records a rank that does something new is no longer in what it was in") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tracker.lose(at(20));
  CHECK(rank.state().has_gaps);
  CHECK(rank.tracker.open(at(45), rank.deaths.of(0))->time == Interval{at(10), at(20)});  // what came then is not known
  CHECK(rank.state().status == RankStatus::InCollective);                                 // nothing says otherwise
  rank.tell(50, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 2));
  CHECK(rank.state().open_operations == 1);
  rank.tell(70, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 1, 2));
  CHECK(rank.alone() == std::vector<Interval>{{at(50), at(70)}});

  rank.tell(80, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE});
  rank.tracker.lose(at(85));
  rank.tell(90, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.state().status == RankStatus::InCollective);
  rank.tracker.lose(at(95));
  rank.tell(99, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.alone() == std::vector<Interval>{{at(90), at(99)}});
}

TEST_CASE("a number that is left out says that records are missing") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(11, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(12, SL_COLL_ENTER, in(SL_OP_BARRIER, 0, 2));
  CHECK_FALSE(rank.state().has_gaps);
  rank.tell(20, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 2, 4));
  CHECK(rank.state().has_gaps);
  CHECK(rank.state().open_operations == 1);
}

TEST_CASE("steps are counted by their records, not by collectives") {
  Rank rank;
  rank.tell(1, SL_EPOCH_BEGIN, {0, 2});
  for (std::uint32_t step = 0; step < 3; ++step) {
    rank.tell(2, SL_STEP_BEGIN, {0, 2, step});
    for (std::uint64_t seq = 0; seq < 5; ++seq) {
      rank.tell(3, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 5 * step + seq, 1));
      rank.tell(4, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 5 * step + seq, 1));
    }
    if (step < 2) rank.tell(5, SL_STEP_END, {0, 2, step});
  }
  CHECK(rank.state().steps_done == 2);
  CHECK(rank.state().step == 2);
  CHECK(rank.state().epoch == 2);
  CHECK(rank.state().collectives == 15);
}

TEST_CASE("the slot makes up for lost records: what is older than what it shows is over") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(11, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 2));
  rank.show(20, SL_PHASE_COLLECTIVE, 11, in(SL_OP_ALLREDUCE, 1, 2));  // the first one's end was lost
  CHECK(rank.state().open_operations == 1);
  CHECK(rank.state().operation->seq == 1);
  rank.show(30, SL_PHASE_COLLECTIVE, 28, in(SL_OP_BARRIER, 0, 5));
  CHECK(operationText(rank.state()) == "barrier");
  rank.show(25, SL_PHASE_LOAD, 25);  // older than what is known
  CHECK(rank.state().status == RankStatus::InCollective);
  rank.show(40, SL_PHASE_LOAD, 40, {0, 1, 6});
  CHECK(rank.state().status == RankStatus::Loading);
  CHECK(rank.state().open_operations == 0);
  CHECK(rank.state().step == 6);
}

TEST_CASE("how a rank ended is not the tracker's to decide") {
  Rank rank;
  rank.tell(1, SL_PHASE_BEGIN, {SL_PHASE_LOAD});
  rank.tracker.process({0, 77, ProcessState::Stopped, "n1"}, at(5));
  CHECK(rank.state().status == RankStatus::Stopped);
  CHECK(rank.state().since_ns == 5 * kMs);
  rank.deaths.gone(0, at(9));
  CHECK(rank.state().status == RankStatus::Dead);
  CHECK(rank.state().since_ns == 9 * kMs);
  CHECK(rank.state().host == "n1");
  const auto open = rank.tracker.open(at(50), rank.deaths.of(0));
  REQUIRE(open);
  CHECK(open->doing == RankStatus::Loading);
  CHECK(open->time == Interval{at(1), at(5)});  // until it was stopped
}
