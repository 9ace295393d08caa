// SPDX-License-Identifier: Apache-2.0
#include "core/collect/rank_rings.h"

#include "core/collect/ring_set.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

struct Kept : EventSink {
  std::vector<Event> events;
  void event(const Event& event) override { events.push_back(event); }

  template <class T>
  [[nodiscard]] std::vector<T> all() const {
    std::vector<T> out;
    for (const Event& event : events) {
      if (const auto* one = std::get_if<T>(&event.what)) out.push_back(*one);
    }
    return out;
  }
};

/// The rings of a rank, in this process.
struct Own {
  sl_ring_map map{};
  Own(const TempFolder& folder, std::uint32_t rank, std::uint32_t world_size) {
    REQUIRE(sl_ring_create(&map, folder.path().c_str(), rank, world_size) == 0);
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() { sl_ring_close(&map); }
};

struct Beside {
  sl_ring_map map{};
  Beside(const TempFolder& folder, std::uint32_t rank, std::uint32_t world_size) {
    REQUIRE(sl_ring_create_beside(&map, folder.path().c_str(), rank, world_size) == 0);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() { sl_ring_close(&map); }
};

void put(const sl_ring_map& map, std::uint64_t time_ns, std::uint16_t kind, std::uint32_t step = 0) {
  sl_record record{};
  record.time_ns = time_ns;
  record.kind = kind;
  record.op = SL_OP_ALLREDUCE;
  record.epoch = step > 0 ? 1 : 0;
  record.step = step;
  record.b = kind == SL_HELLO ? map.ring->world_size : 0;
  REQUIRE(sl_ring_push(map.ring, &record) != 0);
}

void show(const sl_ring_map& map, sl_slot slot) {
  sl_slot_write(map.ring, &slot);
}

}  // namespace

TEST_CASE("the two rings of a rank are read as one, in the order of their times, and in the same step") {
  const TempFolder folder;
  const Own rank(folder, 1, 2);
  const Beside beside(folder, 1, 2);
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  put(rank.map, 10, SL_HELLO);
  put(beside.map, 11, SL_HELLO);
  rings.discover(kept);
  CHECK(rings.found() == 1);
  CHECK(kept.all<RankProcess>().size() == 1);
  rings.drain(kept);
  kept.events.clear();

  put(beside.map, 21, SL_COLL_ENTER);
  put(beside.map, 31, SL_COLL_ENTER);
  put(rank.map, 30, SL_STEP_BEGIN, 7);
  put(rank.map, 40, SL_STEP_BEGIN, 8);
  rings.drain(kept);
  put(beside.map, 50, SL_COLL_LEAVE);
  rings.drain(kept);
  std::vector<std::uint64_t> times;
  std::vector<std::uint32_t> steps;
  for (const RankRecord& one : kept.all<RankRecord>()) {
    CHECK(one.rank == 1);
    times.push_back(one.record.time_ns);
    steps.push_back(one.record.step);
  }
  CHECK(times == std::vector<std::uint64_t>{21, 30, 31, 40, 50});
  CHECK(steps == std::vector<std::uint32_t>{0, 7, 7, 8, 8});
}

TEST_CASE("a rank has one slot, and one count of lost records, whichever ring says them") {
  const TempFolder folder;
  const Beside beside(folder, 0, 1);
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  put(beside.map, 10, SL_HELLO);
  rings.discover(kept);
  REQUIRE(rings.found() == 1);
  show(beside.map, {0, SL_PHASE_COLLECTIVE, SL_OP_ALLREDUCE, 5, SL_NO_PEER, 9, 0, 0, 3, 20, 21});
  rings.look(kept);
  REQUIRE(kept.all<RankSlot>().size() == 1);
  CHECK(kept.all<RankSlot>()[0].slot.seq == 3);

  const Own rank(folder, 0, 1);
  put(rank.map, 12, SL_HELLO);
  rings.discover(kept);
  show(rank.map, {0, SL_PHASE_COMPUTE, SL_OP_NONE, 0, SL_NO_PEER, 0, 2, 4, 0, 30, 31});
  rings.look(kept);
  REQUIRE(kept.all<RankSlot>().size() == 2);
  const sl_slot slot = kept.all<RankSlot>()[1].slot;
  CHECK(slot.phase == SL_PHASE_COMPUTE);
  CHECK(slot.step == 4);
  CHECK(slot.op == SL_OP_ALLREDUCE);
  CHECK(slot.since_ns == 30);
  CHECK(slot.time_ns == 31);

  rank.map.ring->dropped = 2;
  beside.map.ring->dropped = 3;
  rings.look(kept);
  REQUIRE(kept.all<RankDropped>().size() == 1);
  CHECK(kept.all<RankDropped>()[0].total == 5);
  CHECK(kept.all<RankSlot>().size() == 2);
}

TEST_CASE("of two rings the operation that has been open longest counts") {
  const sl_slot none{0, SL_PHASE_NONE, SL_OP_NONE, 0, SL_NO_PEER, 0, 0, 0, 0, 50, 51};
  const sl_slot barrier{0, SL_PHASE_COLLECTIVE, SL_OP_BARRIER, 0, SL_NO_PEER, 1, 0, 0, 0, 40, 41};
  const sl_slot reduce{0, SL_PHASE_COLLECTIVE, SL_OP_ALLREDUCE, 5, SL_NO_PEER, 9, 0, 0, 0, 30, 61};
  const sl_slot done{0, SL_PHASE_DONE, SL_OP_NONE, 0, SL_NO_PEER, 0, 0, 0, 0, 70, 71};
  CHECK(joinedSlot(barrier, reduce).op == SL_OP_ALLREDUCE);
  CHECK(joinedSlot(barrier, reduce).since_ns == 30);
  CHECK(joinedSlot(reduce, barrier).op == SL_OP_ALLREDUCE);
  CHECK(joinedSlot(barrier, none).op == SL_OP_BARRIER);
  CHECK(joinedSlot(none, reduce).phase == SL_PHASE_COLLECTIVE);
  CHECK(joinedSlot(none, reduce).since_ns == 50);  // before that it was in a phase
  CHECK(joinedSlot(done, reduce).phase == SL_PHASE_DONE);
  CHECK(joinedSlot(barrier, done).op == SL_OP_BARRIER);
}
