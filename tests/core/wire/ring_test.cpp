// SPDX-License-Identifier: Apache-2.0
#include "core/wire/ring.h"

#include "core/wire/ring_file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

extern "C" int pushFromC(sl_ring_header* ring, uint64_t value);
extern "C" std::size_t describeFromC(sl_record* out, const std::uint32_t* members, std::size_t count, const char* name);

namespace {

/// A ring in ordinary memory.
class Ring {
 public:
  explicit Ring(std::uint64_t capacity) : words_(sl_ring_bytes(capacity) / 8 + 1), capacity_(capacity) {
    sl_ring_init(header(), capacity, 3, 8);
  }
  sl_ring_header* header() { return reinterpret_cast<sl_ring_header*>(words_.data()); }
  int push(std::uint64_t value) {
    sl_record record{};
    record.kind = SL_BATCH;
    record.a = value;
    record.b = ~value;
    return sl_ring_push(header(), &record);
  }
  std::vector<sl_record> pop(std::size_t most) {
    std::vector<sl_record> out(most);
    out.resize(sl_ring_pop(header(), capacity_, out.data(), most));
    return out;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t capacity_;
};

}  // namespace

TEST_CASE("records come out in the order they went in, also around the end of the ring") {
  Ring ring(8);
  std::uint64_t next = 0;
  for (std::uint64_t value = 0; value < 100;) {
    for (int i = 0; i < 5; ++i) CHECK(ring.push(value++) == 1);
    for (const sl_record& record : ring.pop(64)) CHECK(record.a == next++);
  }
  CHECK(next == 100);
  CHECK(pushFromC(ring.header(), 7) == 1);
  CHECK(ring.pop(1).at(0).a == 7);
}

TEST_CASE("a full ring drops the newest record and counts it") {
  Ring ring(8);
  for (std::uint64_t value = 0; value < 11; ++value) CHECK(ring.push(value) == (value < 8 ? 1 : 0));
  CHECK(sl_ring_dropped(ring.header()) == 3);
  CHECK(ring.pop(64).size() == 8);
  CHECK(ring.push(11) == 1);
  CHECK(ring.pop(64).at(0).a == 11);
}

TEST_CASE("a writer at full speed loses nothing that it does not count, and tears no record") {
  constexpr std::uint64_t kRecords = 2'000'000;
  Ring ring(1024);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (std::uint64_t value = 0; value < kRecords; ++value) ring.push(value);
    done = true;
  });
  std::uint64_t read = 0;
  std::uint64_t torn = 0;
  std::uint64_t backwards = 0;
  std::uint64_t last = 0;
  for (bool last_round = false; !last_round;) {
    last_round = done;
    for (auto records = ring.pop(256); !records.empty(); records = ring.pop(256)) {
      for (const sl_record& record : records) {
        torn += record.b != ~record.a ? 1 : 0;
        backwards += read > 0 && record.a <= last ? 1 : 0;
        last = record.a;
        ++read;
      }
    }
  }
  writer.join();
  CHECK(torn == 0);
  CHECK(backwards == 0);
  CHECK(read > 0);
  CHECK(read + sl_ring_dropped(ring.header()) == kRecords);
}

TEST_CASE("the slot is read whole or not at all") {
  Ring ring(8);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (std::uint32_t i = 1; !stop; ++i) {
      const sl_slot slot = {0, i, i, i, i, i, i, i, i, i, i};
      sl_slot_write(ring.header(), &slot);
    }
  });
  std::uint64_t consistent = 0;
  std::uint64_t torn = 0;
  while (consistent < 100'000) {
    sl_slot slot{};
    if (sl_slot_read(ring.header(), &slot) == 0) continue;
    ++consistent;
    torn += slot.phase == slot.epoch && slot.op == slot.step && slot.group == slot.peer && slot.peer == slot.handle &&
                    slot.seq == slot.since_ns && slot.seq == slot.time_ns && slot.seq == slot.phase &&
                    slot.op == slot.group
                ? 0
                : 1;
  }
  stop = true;
  writer.join();
  CHECK(torn == 0);
}

TEST_CASE("a ring file carries who wrote it and survives its writer") {
  const shardlens::test::TempFolder folder;
  sl_ring_map writer{};
  REQUIRE(sl_ring_create(&writer, folder.path().c_str(), 3, 8) == 0);
  const sl_record record = {5, SL_HELLO, 0, 0, 0, 0, 0, 42, 8};
  sl_ring_push(writer.ring, &record);
  sl_ring_close(&writer);

  sl_ring_map reader{};
  REQUIRE(sl_ring_open(&reader, folder.path().c_str(), 3) == 0);
  CHECK(reader.ring->rank == 3);
  CHECK(reader.ring->pid == static_cast<std::uint64_t>(getpid()));
  CHECK(reader.ring->start_time == sl_own_start_time());
  CHECK(reader.ring->host[0] != '\0');
  std::array<sl_record, 4> out{};
  CHECK(sl_ring_pop(reader.ring, reader.capacity, out.data(), out.size()) == 1);
  CHECK(out[0].a == 42);
  sl_ring_close(&reader);
  CHECK(sl_ring_create(&writer, (folder / "absent").c_str(), 0, 1) == ENOENT);
}

TEST_CASE("what is no ring, or claims more than its file holds, is refused") {
  const shardlens::test::TempFolder folder;
  sl_ring_map map{};
  CHECK(sl_ring_open(&map, folder.path().c_str(), 0) == ENOENT);
  std::ofstream(folder / "rank-0.ring") << "short";
  CHECK(sl_ring_open(&map, folder.path().c_str(), 0) == EINVAL);
  std::ofstream(folder / "rank-1.ring") << std::string(100'000, 'x');
  CHECK(sl_ring_open(&map, folder.path().c_str(), 1) == EINVAL);

  REQUIRE(sl_ring_create(&map, folder.path().c_str(), 2, 8) == 0);
  map.ring->capacity = std::uint64_t{1} << 40;
  CHECK(sl_ring_is_valid(map.ring, map.bytes) == 0);
  map.ring->capacity = 1000;
  CHECK(sl_ring_is_valid(map.ring, map.bytes) == 0);
  sl_ring_close(&map);
}

TEST_CASE("a group is told in runs of members at equal distances, and its name in pieces") {
  std::array<sl_record, 8> records{};
  const std::array<std::uint32_t, 6> members = {0, 8, 16, 24, 3, 1};
  REQUIRE(describeFromC(records.data(), members.data(), members.size(), "data-parallel, 3") == 4);
  CHECK(records[0].kind == SL_GROUP);
  CHECK(records[0].group == 7);
  CHECK(records[0].a == 6);
  CHECK(records[1].kind == SL_GROUP_MEMBERS);
  CHECK(records[1].seq == 0);
  CHECK(records[1].a == 4);
  CHECK(records[1].b == 8);
  CHECK(records[2].seq == 3);
  CHECK(records[2].a == 2);
  CHECK(static_cast<std::int64_t>(records[2].b) == -2);
  CHECK(records[3].kind == SL_GROUP_NAME);
  CHECK(std::string(reinterpret_cast<const char*>(&records[3].a), 16) == "data-parallel, 3");
}

TEST_CASE("a reader never copies more than the ring holds, whatever the writer claims") {
  Ring ring(8);
  ring.header()->head = 1'000'000;
  CHECK(ring.pop(64).size() == 8);
}
