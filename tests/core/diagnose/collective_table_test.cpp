// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"

#include "tests/support/events.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// A world of eight ranks; times in milliseconds.
struct World {
  GroupTable groups{8};
  CollectiveTable table{8};

  static sl_record raw(std::uint16_t kind, double ms, const RecordFields& fields) {
    return std::get<RankRecord>(record(ms, 0, kind, fields).what).record;
  }
  void describe(std::uint32_t group, const std::vector<std::uint32_t>& members) {
    for (const sl_record& one : groupRecords(group, members)) {
      if (groups.record(members.front(), one)) (void)table.learn(group, groups.members(group));
    }
  }
  void enter(double ms, std::int64_t rank, const RecordFields& fields, std::uint32_t clock = 0) {
    table.enter({rank, raw(SL_COLL_ENTER, ms, fields), clock, true}, groups);
  }
  /// The operation, when it is complete with that.
  std::optional<Collective> leave(double ms, std::int64_t rank, const RecordFields& fields, double from_ms = 0) {
    const Interval alone{at(from_ms), at(ms)};
    auto complete = table.leave(rank, raw(SL_COLL_LEAVE, ms, fields), {&alone, 1});
    return complete.empty() ? std::nullopt : std::optional(std::move(complete.back()));
  }
};

RecordFields in(std::uint32_t group, std::uint16_t op, std::uint64_t seq, std::uint32_t peer = SL_NO_PEER) {
  return {op, 0, 0, seq, 0, sl_operation(1, peer), group};
}

}  // namespace

TEST_CASE("a collective is complete when all members of its group have left, not the world") {
  World world;
  world.describe(7, {1, 5, 6});
  const auto reduce = in(7, SL_OP_ALLREDUCE, 0);
  for (const std::int64_t rank : {5, 1, 6}) world.enter(1.0 + double(rank), rank, reduce);
  CHECK_FALSE(world.leave(10, 1, reduce));
  CHECK_FALSE(world.leave(10, 6, reduce));
  const auto complete = world.leave(11, 5, reduce);
  REQUIRE(complete);
  CHECK(complete->first_enter_ns == at(2));
  CHECK(complete->last_enter_ns == at(7));
  REQUIRE(world.table.timeLost().count(7) == 1);
  const TimeLost& lost = world.table.timeLost().at(7);
  REQUIRE(lost.size() == 1);
  CHECK(std::vector<float>(lost.late(0).begin(), lost.late(0).end()) == std::vector<float>{0, 4, 5});
  CHECK(world.table.open().empty());
}

TEST_CASE("the same number in another group, or of another operation, is another collective") {
  World world;
  world.describe(1, {0, 1});
  world.describe(2, {2, 3});
  for (const std::int64_t rank : {0, 1}) world.enter(1, rank, in(1, SL_OP_ALLREDUCE, 4));
  for (const std::int64_t rank : {2, 3}) world.enter(1, rank, in(2, SL_OP_ALLREDUCE, 4));
  for (const std::int64_t rank : {0, 1}) world.enter(2, rank, in(1, SL_OP_ALLGATHER, 4));
  CHECK(world.table.open().size() == 3);
  CHECK_FALSE(world.table.firstMixed());
  CHECK_FALSE(world.leave(3, 2, in(2, SL_OP_ALLREDUCE, 4)));
  CHECK(world.leave(3, 3, in(2, SL_OP_ALLREDUCE, 4)));
  CHECK(world.table.open().size() == 2);
}

TEST_CASE("a group that nobody has described is kept and not judged, until somebody describes it") {
  World world;
  const auto barrier = in(3, SL_OP_BARRIER, 0);
  world.enter(1, 2, barrier);
  world.enter(5, 4, barrier);
  world.enter(5, 6, in(3, SL_OP_ALLREDUCE, 0));
  CHECK_FALSE(world.leave(6, 2, barrier));
  CHECK_FALSE(world.leave(6, 4, barrier));
  CHECK_FALSE(world.table.firstMixed());
  const Collective* open = world.table.find({3, SL_OP_BARRIER, -1, -1, 0});
  REQUIRE(open != nullptr);
  CHECK(open->missingFor(open->visits.front()).empty());

  const auto members = std::make_shared<const std::vector<std::int64_t>>(std::vector<std::int64_t>{2, 4});
  const auto complete = world.table.learn(3, members);
  REQUIRE(complete.size() == 1);
  CHECK(complete.front().last_enter_ns == at(5));
  CHECK(world.table.find({3, SL_OP_BARRIER, -1, -1, 0}) == nullptr);
}

TEST_CASE("members that call a group's collectives in different orders are found, those that are merely late are not") {
  World world;
  world.describe(1, {0, 1, 2});
  world.enter(1, 0, in(1, SL_OP_ALLREDUCE, 0));
  world.enter(2, 0, in(1, SL_OP_BARRIER, 0));  // two at once
  world.enter(1, 1, in(1, SL_OP_ALLREDUCE, 0));
  CHECK_FALSE(world.table.firstMixed());
  world.enter(3, 2, in(1, SL_OP_BARRIER, 0));
  const auto mixed = world.table.firstMixed();
  REQUIRE(mixed);
  CHECK(mixed->group == 1);
  CHECK(mixed->only_one == std::vector<std::int64_t>{1});
  CHECK(mixed->only_other == std::vector<std::int64_t>{2});
  world.table.lose(2);  // its record of the all-reduce may be among those lost
  CHECK_FALSE(world.table.firstMixed());
}

TEST_CASE("a send meets the recv of the same number between the same ranks") {
  World world;
  const auto send = in(0, SL_OP_SEND, 0, 3);
  const auto recv = in(0, SL_OP_RECV, 0, 2);
  world.enter(1, 3, recv);
  world.enter(1, 2, in(0, SL_OP_SEND, 0, 5));  // to another rank
  world.enter(8, 2, send);
  CHECK_FALSE(world.leave(9, 2, send, 8));
  const auto complete = world.leave(10, 3, recv, 1);
  REQUIRE(complete);
  CHECK(complete->key == OperationKey{0, SL_OP_SEND, 2, 3, 0});
  CHECK(complete->releaseOf(*complete->visitOf(3)) == at(8));
  CHECK(world.table.open().size() == 1);
  CHECK(world.table.timeLost().empty());

  world.enter(20, 2, in(0, SL_OP_SEND, 1, 3));  // buffered: over before anybody receives
  CHECK_FALSE(world.leave(21, 2, in(0, SL_OP_SEND, 1, 3), 20));
  world.enter(30, 3, in(0, SL_OP_RECV, 1, 2));
  const auto late = world.leave(31, 3, in(0, SL_OP_RECV, 1, 2), 30);
  REQUIRE(late);
  CHECK(late->releaseOf(*late->visitOf(2)) == at(20));

  world.enter(40, 3, in(0, SL_OP_RECV, 2, SL_NO_PEER));  // from any rank: nothing to join it with
  CHECK(world.table.open().size() == 1);
}

TEST_CASE("who waits for whom depends on the operation") {
  struct Case {
    std::uint16_t op;
    double root_ms, other_ms;  ///< when the root, rank 1, and rank 0 are released
  };
  const std::vector<Case> cases = {{SL_OP_ALLGATHER, 9, 9}, {SL_OP_BROADCAST, 4, 4}, {SL_OP_REDUCE, 9, 2}, {31, 4, 2}};
  for (const Case& one : cases) {
    CAPTURE(one.op);
    World world;
    world.describe(1, {0, 1, 2});
    const auto fields = in(1, one.op, 0, 1);
    world.enter(2, 0, fields);
    world.enter(4, 1, fields);
    world.enter(9, 2, fields);
    for (const std::int64_t rank : {0, 1}) CHECK_FALSE(world.leave(13, rank, fields));
    const auto complete = world.leave(13, 2, fields);
    REQUIRE(complete);
    CHECK(complete->releaseOf(*complete->visitOf(1)) == at(one.root_ms));
    CHECK(complete->releaseOf(*complete->visitOf(0)) == at(one.other_ms));
  }
}

TEST_CASE("an operation with a root that held all of its members counts as a meeting of all") {
  struct Case {
    std::uint32_t ranks;
    double leave_ms, first_leaves_ms;  ///< the others, and rank 0
    double alone_ms = 0;               ///< from when rank 0 was in nothing else
    bool held = false;
  };
  const std::vector<Case> cases = {{2, 17, 17, 0, true},      {2, 17, 8, 0, false},
                                   {2, 10.5, 10.5, 5, false}, {2, 19, 19, 0, false},  // nobody waited noticeably
                                   {3, 13, 13, 0, true},                              // the data needs 3 ms to a member
                                   {3, 16, 16, 0, false},  // it may have gone on since rank 0 came
                                   {4, 10.5, 10.5, 0, true},  {4, 10.5, 9, 0, false}};
  for (const std::uint16_t op :
       std::vector<std::uint16_t>{SL_OP_BROADCAST, SL_OP_SCATTER, SL_OP_REDUCE, SL_OP_GATHER}) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      CAPTURE(op);
      CAPTURE(i);
      const Case& one = cases[i];
      World world;
      std::vector<std::uint32_t> members(one.ranks);
      std::iota(members.begin(), members.end(), 0U);
      world.describe(1, members);
      const auto fields = in(1, op, 0, 0);
      for (const std::uint32_t rank : members) world.enter(rank + 1 == one.ranks ? 10 : 2, rank, fields);
      auto complete = world.leave(one.first_leaves_ms, 0, fields, one.alone_ms);
      for (const std::uint32_t rank : members) {
        if (rank > 0) complete = world.leave(one.leave_ms, rank, fields);
      }
      REQUIRE(complete);
      CHECK(complete->held_all == one.held);
      const auto lost = world.table.timeLost().find(1);
      REQUIRE((lost != world.table.timeLost().end()) == one.held);
      if (!one.held) continue;
      CHECK(complete->releaseOf(*complete->visitOf(0)) == at(10));
      CHECK(lost->second.waitedMs() == doctest::Approx(8.0 * (one.ranks - 1)));
    }
  }
}

TEST_CASE("a rank that is still inside although nobody that it needs is missing waits for who has not come") {
  using Missing = std::vector<std::int64_t>;
  World world;
  world.describe(1, {0, 1, 2});
  const auto fields = in(1, SL_OP_BROADCAST, 0, 1);
  const auto missing_for = [&](std::int64_t rank) {
    const Collective* found = world.table.find(keyOf(rank, operationOf(world.raw(SL_COLL_ENTER, 0, fields))));
    return found->missingFor(*found->visitOf(rank));
  };
  const auto awaited_by = [&](std::int64_t rank) {
    const Collective* found = world.table.find(keyOf(rank, operationOf(world.raw(SL_COLL_ENTER, 0, fields))));
    return found->awaitedBy(*found->visitOf(rank));
  };
  world.enter(1, 0, fields);
  CHECK(missing_for(0) == Missing{1});  // the root
  CHECK(awaited_by(0) == Missing{1});
  world.enter(2, 1, fields);
  CHECK(missing_for(0) == Missing{2});  // rank 2 may have to hand the data on
  CHECK(missing_for(1) == Missing{2});  // or to take it
  CHECK(awaited_by(0).empty());
  CHECK(awaited_by(1).empty());
  world.enter(3, 2, fields);
  CHECK(missing_for(1).empty());
}

TEST_CASE("a rank that is no member changes nothing, and repeated records count once") {
  World world;
  world.describe(1, {0, 1});
  const auto barrier = in(1, SL_OP_BARRIER, 0);
  world.enter(1, 0, barrier);
  world.enter(5, 0, barrier);
  world.enter(1, 4, barrier);
  CHECK_FALSE(world.leave(6, 4, barrier));
  CHECK_FALSE(world.leave(6, 0, barrier));
  CHECK_FALSE(world.leave(7, 0, barrier));
  const Collective* open = world.table.find({1, SL_OP_BARRIER, -1, -1, 0});
  REQUIRE(open != nullptr);
  CHECK(open->entered == 1);
  CHECK(open->left == 1);
  CHECK(open->first_enter_ns == at(1));
}

TEST_CASE("too many incomplete collectives: the oldest is forgotten, and the group no longer judged for its order") {
  World world;
  world.describe(1, {0, 1});
  for (std::uint64_t seq = 0; seq < 70'000; ++seq) world.enter(1, 0, in(1, SL_OP_ALLREDUCE, seq));
  CHECK(world.table.forgotten() == 70'000 - 65'536);
  CHECK(world.table.open().size() == 65'536);
  CHECK(world.table.find({1, SL_OP_ALLREDUCE, -1, -1, 0}) == nullptr);
  world.enter(2, 1, in(1, SL_OP_BARRIER, 0));
  CHECK_FALSE(world.table.firstMixed());
}

TEST_CASE("a group is known when one member has described it whole, and no longer when two differ") {
  GroupTable groups(16);
  const auto tell = [&groups](std::int64_t rank, std::uint32_t group, const std::vector<std::uint32_t>& members,
                              const std::string& name = {}) {
    for (const sl_record& one : groupRecords(group, members, name)) (void)groups.record(rank, one);
  };
  tell(3, 9, {3, 7, 11, 15}, "data-parallel group number 3");
  REQUIRE(groups.members(9) != nullptr);
  CHECK(*groups.members(9) == std::vector<std::int64_t>{3, 7, 11, 15});
  CHECK(groups.text(9) == "group data-parallel group number 3");
  CHECK(groupRecords(9, {3, 7, 11, 15}).size() == 2);  // equal distances: one chunk
  tell(5, 4, {9, 5, 0, 14, 2});
  CHECK(*groups.members(4) == std::vector<std::int64_t>{0, 2, 5, 9, 14});
  CHECK(groups.text(4) == "group 4");
  CHECK(groups.members(0)->size() == 16);
  tell(7, 9, {3, 7, 11, 15});
  CHECK(groups.unknown() == 0);
  tell(11, 9, {3, 7, 11});
  CHECK(groups.members(9) == nullptr);
  CHECK(groups.unknown() == 1);
}

TEST_CASE("descriptions that are damaged or not whole tell nothing") {
  GroupTable groups(4);
  const auto bad = [&groups](const std::vector<std::uint32_t>& members, std::uint64_t size, std::uint64_t stride) {
    auto records = groupRecords(5, members);
    records[0].a = size;
    records[1].b = stride;
    for (const sl_record& one : records) CHECK_FALSE(groups.record(0, one));
    CHECK(groups.members(5) == nullptr);
  };
  bad({0, 1, 2}, 4, 1);                  // one is missing
  bad({0, 1, 2}, 2, 1);                  // more than it says
  bad({0, 1, 2}, ~std::uint64_t{0}, 1);  // more than the world
  bad({0, 1, 2}, 3, 2);                  // beyond the world
  bad({0, 1, 2}, 3, ~std::uint64_t{0});  // before it
  bad({0, 1, 2}, 3, 0);                  // one rank three times
  bad({1, 2}, 2, 1);                     // told by a rank that is no member
}

TEST_CASE(
    "a collective that a rank with lost records has passed is complete without it, and its arrival is not known") {
  World world;
  world.describe(1, {0, 1, 2});
  const auto reduce = [](std::uint64_t seq) { return in(1, SL_OP_ALLREDUCE, seq); };
  world.enter(1, 0, reduce(0));
  world.enter(2, 1, reduce(0));
  world.enter(9, 2, reduce(0));
  CHECK_FALSE(world.leave(10, 0, reduce(0)));
  CHECK_FALSE(world.leave(10, 1, reduce(0)));
  world.table.lose(2);  // its leave of 0, and all of 1
  world.enter(20, 2, reduce(2));
  const auto first = world.leave(30, 2, reduce(2));
  REQUIRE(first);
  CHECK(first->key.seq == 0);
  CHECK(first->knowsArrivals());
  CHECK(first->last_enter_ns == at(9));
  CHECK(first->visitOf(2)->leave_ns < 0);
  REQUIRE(world.table.timeLost().at(1).size() == 1);

  // The others' records of the one that was lost are read only now.
  world.enter(11, 0, reduce(1));
  world.enter(12, 1, reduce(1));
  CHECK_FALSE(world.leave(19, 0, reduce(1)));
  const auto second = world.leave(19, 1, reduce(1));
  REQUIRE(second);
  CHECK(second->key.seq == 1);
  CHECK_FALSE(second->knowsArrivals());
  CHECK(world.table.timeLost().at(1).size() == 1);
}

TEST_CASE("when the job is over, ranks with lost records wait for nothing, and others do") {
  World world;
  world.describe(1, {0, 1});
  world.enter(1, 0, in(1, SL_OP_ALLREDUCE, 0));
  world.enter(3, 1, in(1, SL_OP_ALLREDUCE, 0));
  CHECK_FALSE(world.leave(5, 0, in(1, SL_OP_ALLREDUCE, 0)));
  CHECK(world.table.end().empty());
  world.table.lose(1);
  REQUIRE(world.table.end().size() == 1);
  CHECK(world.table.open().empty());
}

TEST_CASE("the history of a group tells which of two calls came next each time, or nothing") {
  const Call gradients{SL_OP_ALLREDUCE, 264};
  const Call loss{SL_OP_ALLREDUCE, 4};
  const Call barrier{SL_OP_BARRIER, 0};
  CallHistory history;
  CHECK_FALSE(history.usual({}, gradients, loss));
  for (int round = 0; round < 3; ++round) {
    for (int step = 0; step < 4; ++step) history.add(gradients);
    history.add(loss);
  }
  CHECK(history.usual({}, barrier, gradients) == gradients);
  CHECK_FALSE(history.usual({}, barrier, loss));
  const std::vector<Call> four(4, gradients);
  CHECK(history.usual({gradients, gradients, gradients}, loss, gradients) == gradients);
  CHECK(history.usual(four, loss, gradients) == loss);
  CHECK(history.usual(four, gradients, loss) == loss);
  CHECK_FALSE(history.usual({barrier}, gradients, loss));  // never before
  CallHistory once;
  for (const Call& call : {gradients, loss, gradients}) once.add(call);
  CHECK_FALSE(once.usual({}, loss, barrier));
}
