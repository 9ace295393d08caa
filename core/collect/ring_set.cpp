// SPDX-License-Identifier: Apache-2.0
#include "core/collect/ring_set.h"

#include "core/collect/collect_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shardlens {
namespace {

constexpr std::size_t kAtOnce = 4096;

/// A handle that tells the end of exactly this process; -1 where the kernel has none.
int handleOf(const ProcessId& process) {
  const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0));
  if (handle >= 0 && !isAlive(process)) {
    close(handle);
    return -1;
  }
  return handle;
}

std::string hostOf(const sl_ring_header& ring) {
  const char* end = std::find(ring.host, ring.host + SL_RING_HOST_BYTES, '\0');
  return {ring.host, end};
}

ProcessState stateOf(const ProcessId& process) {
  const auto stat = processStat(process.pid);
  if (!stat || stat->id != process || stat->state == 'Z' || stat->state == 'X') return ProcessState::Gone;
  return stat->state == 'T' || stat->state == 't' ? ProcessState::Stopped : ProcessState::Running;
}

}  // namespace

RingSet::RingSet(std::string job_dir, std::int64_t world_size)
    : job_dir_(std::move(job_dir)), seats_(static_cast<std::size_t>(world_size)), batch_(kAtOnce) {}

RingSet::~RingSet() {
  for (Seat& seat : seats_) {
    sl_ring_close(&seat.map);
    if (seat.handle >= 0) close(seat.handle);
  }
}

void RingSet::discover(EventSink& sink) {
  for (std::size_t rank = 0; rank < seats_.size(); ++rank) {
    Seat& seat = seats_[rank];
    if (seat.map.ring != nullptr || seat.is_refused) continue;
    const int error = sl_ring_open(&seat.map, job_dir_.c_str(), static_cast<std::uint32_t>(rank));
    if (error == EINVAL) {
      seat.is_refused = true;
      sink.event({eventTime(), LogLine{static_cast<std::int64_t>(rank), true, words::ringOfAnotherFormat()}});
    }
    if (error != 0 || seat.map.ring == nullptr) continue;
    ++found_;
    seat.process = {static_cast<pid_t>(seat.map.ring->pid), seat.map.ring->start_time};
    seat.host = hostOf(*seat.map.ring);
    seat.handle = handleOf(seat.process);
    if (seat.handle >= 0) handles_.push_back(seat.handle);
    sink.event({eventTime(),
                RankProcess{static_cast<std::int64_t>(rank), seat.process.pid, ProcessState::Running, seat.host}});
  }
}

/// Memory of a file that somebody made shorter is gone: to read it would end us (SIGBUS).
bool RingSet::isCutShort(std::int64_t rank, EventSink& sink) {
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  std::array<char, 4096> path{};
  sl_ring_path(path.data(), path.size(), job_dir_.c_str(), static_cast<std::uint32_t>(rank));
  struct stat info {};
  if (stat(path.data(), &info) != 0 || static_cast<std::size_t>(info.st_size) >= seat.map.bytes) return false;
  sl_ring_close(&seat.map);
  seat.is_refused = true;
  sink.event({eventTime(), RankDropped{rank, static_cast<std::int64_t>(seat.dropped) + 1}});
  sink.event({eventTime(), LogLine{rank, true, words::ringCutShort()}});
  return true;
}

void RingSet::drainSeat(std::int64_t rank, EventSink& sink) {
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  if (seat.map.ring == nullptr || isCutShort(rank, sink)) return;
  // At most one ring full: a rank that writes faster than we read must not keep us from the others.
  for (std::uint64_t left = seat.map.capacity; left > 0;) {
    const std::size_t most = std::min<std::uint64_t>(kAtOnce, left);
    const std::size_t count = sl_ring_pop(seat.map.ring, seat.map.capacity, batch_.data(), most);
    if (count > 0) sink.records(rank, {batch_.data(), count});
    if (count < most) return;
    left -= count;
  }
}

void RingSet::drain(EventSink& sink) {
  for (std::size_t rank = 0; rank < seats_.size(); ++rank) drainSeat(static_cast<std::int64_t>(rank), sink);
}

void RingSet::lookAtSlot(std::int64_t rank, EventSink& sink) {
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  if (seat.map.ring == nullptr || isCutShort(rank, sink)) return;
  sl_slot slot{};
  if (sl_slot_read(seat.map.ring, &slot) != 0 && slot.time_ns != seat.slot_time_ns) {
    seat.slot_time_ns = slot.time_ns;
    sink.event({eventTime(), RankSlot{rank, slot}});
  }
  const std::uint64_t dropped = sl_ring_dropped(seat.map.ring);
  if (dropped != seat.dropped) sink.event({eventTime(), RankDropped{rank, static_cast<std::int64_t>(dropped)}});
  seat.dropped = dropped;
}

void RingSet::lookAtProcess(std::int64_t rank, EventSink& sink) {
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  if (seat.state == ProcessState::Gone) return;
  const ProcessState state = stateOf(seat.process);
  if (state == seat.state) return;
  seat.state = state;
  if (state == ProcessState::Gone) {
    drainSeat(rank, sink);
    lookAtSlot(rank, sink);  // it may have said that it is done since, and that alone when its ring was full
    handles_.erase(std::remove(handles_.begin(), handles_.end(), seat.handle), handles_.end());
  }
  sink.event({eventTime(), RankProcess{rank, seat.process.pid, state, seat.host}});
}

void RingSet::look(EventSink& sink) {
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    if (seats_[i].process.pid == 0) continue;
    const auto rank = static_cast<std::int64_t>(i);
    lookAtSlot(rank, sink);
    lookAtProcess(rank, sink);
  }
}

}  // namespace shardlens
