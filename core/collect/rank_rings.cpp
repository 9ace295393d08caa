// SPDX-License-Identifier: Apache-2.0
#include "core/collect/rank_rings.h"

#include "core/base/file.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace shardlens {

std::string ringPath(RingKind kind, const std::string& job_dir, std::int64_t rank) {
  std::array<char, 4096> path{};
  const auto number = static_cast<std::uint32_t>(rank);
  if (kind == RingKind::Own) sl_ring_path(path.data(), path.size(), job_dir.c_str(), number);
  if (kind == RingKind::Beside) sl_ring_beside_path(path.data(), path.size(), job_dir.c_str(), number);
  return path.data();
}

void RankRings::closeAll() {
  for (Ring& ring : rings_) sl_ring_close(&ring.map);
}

void RankRings::giveUp(RingKind kind) {
  Ring& ring = at(kind);
  sl_ring_close(&ring.map);
  ring.is_cut = false;
  ++ring.dropped;
}

/// What `read` returns of the ring; a zero when its file is cut short.
template <class Read>
auto RankRings::read(Ring& ring, const Read& read) {
  const LostPages lost;
  auto value = read(ring.map);
  if (!lost.any()) return value;
  ring.is_cut = true;
  return decltype(value){};
}

std::vector<sl_record> RankRings::popAll(RingKind kind) {
  std::vector<sl_record> records(static_cast<std::size_t>(map(kind).capacity));
  records.resize(read(at(kind), [&](const sl_ring_map& from) {
    return sl_ring_pop(from.ring, from.capacity, records.data(), records.size());
  }));
  return records;
}

void RankRings::drainBoth(std::int64_t rank, EventSink& sink) {
  std::vector<sl_record> beside = popAll(RingKind::Beside);
  std::vector<sl_record> records = popAll(RingKind::Own);
  if (records.empty() && beside.empty()) return;
  std::size_t next = 0;
  for (sl_record& record : beside) {
    for (; next < records.size() && records[next].time_ns <= record.time_ns; ++next)
      std::tie(epoch_, step_) = std::pair(records[next].epoch, records[next].step);
    record.epoch = epoch_;
    record.step = step_;
  }
  if (!records.empty()) std::tie(epoch_, step_) = std::pair(records.back().epoch, records.back().step);
  std::vector<sl_record> joined;
  joined.reserve(records.size() + beside.size());
  std::merge(records.begin(), records.end(), beside.begin(), beside.end(), std::back_inserter(joined),
             [](const sl_record& a, const sl_record& b) { return a.time_ns < b.time_ns; });
  sink.records(rank, joined);
}

void RankRings::drain(std::int64_t rank, std::vector<sl_record>& buffer, EventSink& sink) {
  if (has(RingKind::Own) && has(RingKind::Beside)) return drainBoth(rank, sink);
  Ring& ring = at(has(RingKind::Own) ? RingKind::Own : RingKind::Beside);
  for (std::uint64_t left = ring.map.ring != nullptr ? ring.map.capacity : 0; left > 0;) {
    const std::size_t most = std::min<std::uint64_t>(buffer.size(), left);
    const std::size_t count =
        read(ring, [&](const sl_ring_map& from) { return sl_ring_pop(from.ring, from.capacity, buffer.data(), most); });
    if (count > 0) sink.records(rank, {buffer.data(), count});
    if (count < most) return;
    left -= count;
  }
}

std::optional<sl_slot> RankRings::changedSlot() {
  bool is_new = false;
  for (Ring& ring : rings_) {
    sl_slot slot{};
    if (ring.map.ring == nullptr || ring.is_cut) continue;
    if (read(ring, [&slot](const sl_ring_map& from) { return sl_slot_read(from.ring, &slot); }) == 0) continue;
    if (slot.time_ns == (ring.slot ? ring.slot->time_ns : 0)) continue;
    ring.slot = slot;
    is_new = true;
  }
  const auto& [own, beside] = rings_;
  if (!is_new) return std::nullopt;
  if (own.slot && beside.slot) return joinedSlot(*own.slot, *beside.slot);
  return own.slot ? own.slot : beside.slot;
}

std::optional<std::int64_t> RankRings::changedDropped() {
  std::uint64_t total = 0;
  for (Ring& ring : rings_) {
    if (ring.map.ring != nullptr && !ring.is_cut) {
      const auto dropped = read(ring, [](const sl_ring_map& from) { return sl_ring_dropped(from.ring); });
      if (!ring.is_cut) ring.dropped = dropped;
    }
    total += ring.dropped;
  }
  if (std::exchange(dropped_, total) == total) return std::nullopt;
  return static_cast<std::int64_t>(total);
}

sl_slot joinedSlot(const sl_slot& own, const sl_slot& beside) {
  sl_slot slot = own;
  slot.time_ns = std::max(own.time_ns, beside.time_ns);
  const bool is_working = own.phase == SL_PHASE_LOAD || own.phase == SL_PHASE_COMPUTE;
  if (own.phase == SL_PHASE_DONE || beside.op == SL_OP_NONE) return slot;
  if (own.op != SL_OP_NONE && (is_working || own.since_ns <= beside.since_ns)) return slot;
  slot.op = beside.op;
  slot.group = beside.group;
  slot.peer = beside.peer;
  slot.handle = beside.handle;
  slot.seq = beside.seq;
  if (is_working) return slot;
  slot.phase = SL_PHASE_COLLECTIVE;
  // Before that it was in a phase of its own.
  slot.since_ns = own.op == SL_OP_NONE ? std::max(own.since_ns, beside.since_ns) : beside.since_ns;
  return slot;
}

}  // namespace shardlens
