// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include "tests/support/events.h"

#include <doctest/doctest.h>

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
  [[nodiscard]] RankState state() const { return tracker.at(at(1000), kStart, deaths.of(0)); }
};

RecordFields in(std::uint16_t op, std::uint64_t seq, std::uint32_t handle, std::uint32_t group = SL_WORLD) {
  return {op, 0, 0, seq, 0, sl_operation(handle, SL_NO_PEER), group};
}

constexpr std::int64_t kMs = 1'000'000;

}  // namespace

TEST_CASE("of several open operations the state names the one that has been open longest") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 4, 1));
  rank.tell(12, SL_COLL_ENTER, in(SL_OP_ALLGATHER, 9, 2, 7));
  RankState state = rank.state();
  CHECK(state.status == RankStatus::InCollective);
  CHECK(state.open_operations == 2);
  CHECK(state.operation->op == SL_OP_ALLREDUCE);
  CHECK(state.since_ns == 10 * kMs);
  rank.tell(20, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 4, 1));
  CHECK(rank.tracker.waitsFrom() == at(10));
  state = rank.state();
  CHECK(state.operation->op == SL_OP_ALLGATHER);
  CHECK(state.operation->group == 7);
  CHECK(state.since_ns == 20 * kMs);  // from then on it was what the rank was in
  rank.tell(30, SL_COLL_LEAVE, in(SL_OP_ALLGATHER, 9, 2, 7));
  CHECK(rank.tracker.waitsFrom() == at(20));
  CHECK(rank.state().status == RankStatus::Between);
  CHECK(rank.state().collectives == 2);
}

TEST_CASE("an operation that ends behind an older one, or beside a phase, took none of the rank's time") {
  Rank rank;
  rank.tell(10, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 0, 1));
  rank.tell(11, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 1, 2));
  rank.tell(15, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 1, 2));
  CHECK(rank.tracker.waitsFrom() == at(15));
  rank.tell(20, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 0, 1));
  CHECK(rank.tracker.waitsFrom() == at(10));

  rank.tell(30, SL_PHASE_BEGIN, {SL_PHASE_COMPUTE});
  rank.tell(32, SL_COLL_ENTER, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.state().status == RankStatus::Computing);
  CHECK_FALSE(rank.tracker.isBlocked());
  CHECK(rank.state().operation->seq == 2);
  rank.tell(40, SL_PHASE_END, {SL_PHASE_COMPUTE, 0, 0, 0, 10 * kMs});
  CHECK(rank.state().status == RankStatus::InCollective);
  CHECK(rank.tracker.isBlocked());
  rank.tell(45, SL_COLL_LEAVE, in(SL_OP_ALLREDUCE, 2, 3));
  CHECK(rank.tracker.waitsFrom() == at(40));
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
  CHECK(rank.tracker.lane(at(50), kStart, rank.deaths.of(0)).spans.empty());
}
