// SPDX-License-Identifier: Apache-2.0
#include "core/collect/ring_set.h"

#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
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

sl_record batch(std::uint32_t step) {
  sl_record record{};
  record.time_ns = sl_now();
  record.kind = SL_BATCH;
  record.step = step;
  return record;
}

/// A rank's side of a ring, in this process.
struct Rank {
  sl_ring_map map{};
  Rank(const TempFolder& folder, std::uint32_t rank, std::uint32_t world_size = 2) {
    REQUIRE(sl_ring_create(&map, folder.path().c_str(), rank, world_size) == 0);
  }
  void hello() const {
    sl_record record{};
    record.time_ns = sl_now();
    record.kind = SL_HELLO;
    record.b = map.ring->world_size;
    REQUIRE(sl_ring_push(map.ring, &record) != 0);
  }
  ~Rank() { sl_ring_close(&map); }
};

/// A process that has made the ring of rank 0 and written one batch into it, and waits.
pid_t forkRank(const TempFolder& folder) {
  std::array<int, 2> written{};
  REQUIRE(pipe(written.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    sl_ring_map map{};
    if (sl_ring_create(&map, folder.path().c_str(), 0, 1) != 0) _exit(1);
    const sl_record record = batch(5);
    (void)sl_ring_push(map.ring, &record);
    (void)!write(written[1], "", 1);
    while (true) pause();
  }
  close(written[1]);
  char byte = 0;
  CHECK(read(written[0], &byte, 1) == 1);
  close(written[0]);
  return child;
}

}  // namespace

TEST_CASE("rings are found as ranks make them, and their records come in order") {
  const TempFolder folder;
  RingSet rings(folder.path().string(), 2);
  Kept kept;
  rings.discover(kept);
  CHECK(rings.found() == 0);

  Rank one(folder, 1);
  rings.discover(kept);
  rings.discover(kept);
  CHECK(rings.found() == 1);
  REQUIRE(kept.all<RankProcess>().size() == 1);
  CHECK(kept.all<RankProcess>()[0].rank == 1);
  CHECK(kept.all<RankProcess>()[0].pid == getpid());

  for (const std::uint32_t step : {0, 1, 2}) {
    const sl_record record = batch(step);
    REQUIRE(sl_ring_push(one.map.ring, &record) != 0);
  }
  rings.drain(kept);
  rings.drain(kept);
  const auto records = kept.all<RankRecord>();
  REQUIRE(records.size() == 3);
  for (std::uint32_t step = 0; step < 3; ++step) {
    CHECK(records[step].rank == 1);
    CHECK(records[step].record.step == step);
  }
}

TEST_CASE("a full ring loses records, and how many is told once") {
  const TempFolder folder;
  Rank rank(folder, 0);
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  rings.discover(kept);
  const sl_record record = batch(0);
  for (std::uint64_t i = 0; i < rank.map.capacity + 3; ++i) (void)sl_ring_push(rank.map.ring, &record);
  rings.look(kept);
  rings.look(kept);
  REQUIRE(kept.all<RankDropped>().size() == 1);
  CHECK(kept.all<RankDropped>()[0].total == 3);
  rings.drain(kept);
  CHECK(kept.all<RankRecord>().size() == rank.map.capacity);
}

TEST_CASE("a slot is told when it changes") {
  const TempFolder folder;
  Rank rank(folder, 0);
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  rings.discover(kept);
  sl_slot slot{};
  slot.phase = SL_PHASE_LOAD;
  slot.time_ns = slot.since_ns = sl_now();
  sl_slot_write(rank.map.ring, &slot);
  rings.look(kept);
  rings.look(kept);
  REQUIRE(kept.all<RankSlot>().size() == 1);
  CHECK(kept.all<RankSlot>()[0].slot.phase == SL_PHASE_LOAD);
}

TEST_CASE("a file that is no ring of this version is refused once, and said") {
  const TempFolder folder;
  spill(folder / "rank-0.ring", std::string(4096, 'x'));
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  rings.discover(kept);
  rings.discover(kept);
  CHECK(rings.found() == 0);
  REQUIRE(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<LogLine>()[0].rank == 0);
}

TEST_CASE("a ring that is cut short is let go of, and its rank has lost records") {
  const TempFolder folder;
  const Rank rank(folder, 0);
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  rings.discover(kept);
  REQUIRE(rings.found() == 1);
  std::filesystem::resize_file(folder / "rank-0.ring", 0);
  rings.drain(kept);
  rings.look(kept);
  rings.discover(kept);
  REQUIRE(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<LogLine>()[0].text == "This rank is not measured from here on: its ring was cut short.");
  REQUIRE(kept.all<RankDropped>().size() == 1);
  CHECK(kept.all<RankDropped>()[0].total == 1);
}

TEST_CASE("a ring that is cut short between a look at its file and reading it is let go of, too") {
  const TempFolder folder;
  const Rank rank(folder, 0);
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  rings.discover(kept);
  const sl_record record = batch(0);
  for (std::uint64_t i = 0; i < rank.map.capacity; ++i) REQUIRE(sl_ring_push(rank.map.ring, &record) != 0);
  // A whole file stands at its path.
  std::filesystem::rename(folder / "rank-0.ring", folder / "cut");
  std::filesystem::copy_file(folder / "cut", folder / "rank-0.ring");
  std::filesystem::resize_file(folder / "cut", 4096);
  rings.drain(kept);
  rings.look(kept);
  rings.discover(kept);
  rings.drain(kept);
  CHECK(kept.all<RankRecord>().size() < rank.map.capacity);
  REQUIRE(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<LogLine>()[0].text == "This rank is not measured from here on: its ring was cut short.");
  REQUIRE(kept.all<RankDropped>().size() == 1);
  CHECK(kept.all<RankDropped>()[0].total == 1);
}

TEST_CASE("a process that stops, goes on and is killed is told each time, its last records first") {
  const TempFolder folder;
  const pid_t child = forkRank(folder);
  RingSet rings(folder.path().string(), 1);
  Kept kept;
  while (rings.found() == 0) rings.discover(kept);
  CHECK(rings.processHandles().size() == 1);
  const auto lookFor = [&](ProcessState state) {
    while (kept.all<RankProcess>().back().state != state) rings.look(kept);
  };
  kill(child, SIGSTOP);
  lookFor(ProcessState::Stopped);
  kill(child, SIGCONT);
  lookFor(ProcessState::Running);
  kill(child, SIGKILL);
  lookFor(ProcessState::Gone);
  CHECK(rings.processHandles().empty());
  REQUIRE(kept.all<RankRecord>().size() == 1);
  CHECK(std::holds_alternative<RankProcess>(kept.events.back().what));
  waitpid(child, nullptr, 0);
}

TEST_CASE("of a job of unknown size the first ring says it, its hello before anything else") {
  const TempFolder folder;
  spill(folder / "rank-x.ring", "no rank");
  const Rank one(folder, 1, 3);
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  rings.discover(kept);
  CHECK(rings.found() == 0);  // it has said nothing yet
  one.hello();
  const Rank two(folder, 2, 3);
  two.hello();
  rings.discover(kept);
  rings.discover(kept);
  CHECK(rings.found() == 2);
  REQUIRE(kept.events.size() == 4);
  for (const std::size_t at : {0, 2}) {
    REQUIRE(std::holds_alternative<RankRecord>(kept.events[at].what));
    CHECK(std::get<RankRecord>(kept.events[at].what).record.b == 3);
    CHECK(std::holds_alternative<RankProcess>(kept.events[at + 1].what));
  }
}

TEST_CASE("a ring of a job of unknown size is found before it can be full, and drained at once") {
  const TempFolder folder;
  const Rank only(folder, 0, 1);
  only.hello();
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  rings.drain(kept);
  CHECK(rings.found() == 1);
  CHECK(kept.all<RankRecord>().size() == 1);
}

TEST_CASE("rings of another start of ranks are not mixed in, and that there was one is told once") {
  const TempFolder folder;
  const Rank first(folder, 0, 3);
  first.hello();
  first.map.ring->world = 7;
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  rings.discover(kept);
  REQUIRE(rings.found() == 1);

  const Rank stranger(folder, 1, 3);
  stranger.hello();
  stranger.map.ring->world = 8;
  const Rank of_larger(folder, 3, 4);
  of_larger.hello();
  rings.discover(kept);
  rings.discover(kept);
  rings.drain(kept);
  CHECK(rings.found() == 1);
  const auto records = kept.all<RankRecord>();
  REQUIRE(records.size() == 2);
  CHECK(records[1].record.kind == SL_HELLO);
  CHECK(records[1].record.seq == 1);
  REQUIRE(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<LogLine>()[0].text ==
        "The command started ranks again. Steps and waits are recorded only for the first start, what loaders read for "
        "every start.");
}

TEST_CASE("two probes in one process are one start") {
  const TempFolder folder;
  const Rank first(folder, 0, 1);
  sl_ring_map again{};
  CHECK(sl_ring_create(&again, folder.path().c_str(), 0, 1) == EEXIST);
  CHECK_FALSE(std::filesystem::exists(folder / "again"));
}

TEST_CASE("a rank that starts again leaves the first one's ring alone, and is told of") {
  const TempFolder folder;
  const Rank first(folder, 0, 1);
  first.hello();
  first.map.ring->pid = 1;  // it is another process
  sl_ring_map again{};
  CHECK(sl_ring_create(&again, folder.path().c_str(), 0, 1) == EEXIST);
  CHECK(again.ring == nullptr);
  RingSet rings(folder.path().string(), 0);
  Kept kept;
  rings.discover(kept);
  rings.discover(kept);
  CHECK(rings.found() == 1);
  CHECK(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<RankRecord>().size() == 2);
}

TEST_CASE("processes that were started as ranks of one world, and are worlds of their own, are told of as that") {
  const TempFolder folder;
  const Rank first(folder, 0, 1);
  first.hello();
  first.map.ring->pid = 1;  // it is another process
  sl_ring_map again{};
  CHECK(sl_ring_create(&again, folder.path().c_str(), 0, 1) == EEXIST);
  RingSet rings(folder.path().string(), 2);
  Kept kept;
  rings.discover(kept);
  REQUIRE(kept.all<LogLine>().size() == 1);
  CHECK(kept.all<LogLine>()[0].text.find("are not one world of 2 ranks") != std::string::npos);
  CHECK(kept.all<RankRecord>().back().record.b == 1);
}

TEST_CASE("a ring that says nonsense of its world is refused") {
  const TempFolder folder;
  for (const std::uint32_t size : {0U, 5U, 0xFFFFFFFFU}) {
    CAPTURE(size);
    const TempFolder one;
    const Rank rank(one, 5, size);
    rank.hello();
    RingSet rings(one.path().string(), 0);
    Kept kept;
    rings.discover(kept);
    CHECK(rings.found() == 0);
    CHECK(kept.all<LogLine>().size() == 1);
  }
}
