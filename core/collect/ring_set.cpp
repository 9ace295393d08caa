// SPDX-License-Identifier: Apache-2.0
#include "core/collect/ring_set.h"

#include "core/base/file.h"
#include "core/collect/collect_words.h"
#include "core/record/frame.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

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

/// Maps a ring and copies what its writer does not change any more, and `head`. 0 or an errno; EINVAL when the file is
/// no ring, or is cut short meanwhile.
int openRing(const std::string& path, sl_ring_map& map, sl_ring_header& ring) {
  const LostPages lost;
  if (const int error = sl_ring_open_at(&map, path.c_str()); error != 0) return error;
  std::memcpy(&ring, map.ring, offsetof(sl_ring_header, head));
  ring.head = __atomic_load_n(&map.ring->head, __ATOMIC_ACQUIRE);
  if (!lost.any()) return 0;
  sl_ring_close(&map);
  return EINVAL;
}

std::string hostOf(const sl_ring_header& ring) {
  const char* end = std::find(ring.host, ring.host + SL_RING_HOST_BYTES, '\0');
  return {ring.host, end};
}

/// Of "rank-12.ring" or "rank-12.nccl.ring"; nothing for other names.
std::optional<std::int64_t> rankOf(std::string_view name, RingKind kind) {
  constexpr std::string_view kBefore = "rank-";
  const std::string_view after = kind == RingKind::Own ? ".ring" : ".nccl.ring";
  if (!name.starts_with(kBefore) || !name.ends_with(after) || name.size() <= kBefore.size() + after.size())
    return std::nullopt;
  const std::string_view number = name.substr(kBefore.size(), name.size() - kBefore.size() - after.size());
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rank);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return rank;
}

ProcessState stateOf(const ProcessId& process) {
  const auto stat = processStat(process.pid);
  if (!stat || stat->id != process || stat->state == 'Z' || stat->state == 'X') return ProcessState::Gone;
  return stat->state == 'T' || stat->state == 't' ? ProcessState::Stopped : ProcessState::Running;
}

}  // namespace

RingSet::RingSet(std::string job_dir, std::int64_t world_size)
    : job_dir_(std::move(job_dir)),
      is_world_given_(world_size > 0),
      seats_(static_cast<std::size_t>(world_size)),
      batch_(kAtOnce) {}

RingSet::~RingSet() {
  for (Seat& seat : seats_) {
    seat.rings.closeAll();
    if (seat.handle >= 0) close(seat.handle);
  }
}

/// Rings that may be there and are not open yet.
std::vector<RingSet::File> RingSet::candidates() const {
  std::vector<File> files;
  const auto add = [&](File file) {
    const auto seat = static_cast<std::size_t>(file.first);
    const bool is_open = seat < seats_.size() && seats_[seat].rings.has(file.second);
    if (!is_open && !passed_over_.contains(file)) files.push_back(file);
  };
  if (is_world_given_) {
    for (std::size_t rank = 0; rank < seats_.size(); ++rank) add({static_cast<std::int64_t>(rank), RingKind::Own});
    return files;
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(job_dir_, error)) {
    for (const RingKind kind : kRingKinds) {
      if (const auto rank = rankOf(entry.path().filename().string(), kind)) add({*rank, kind});
    }
  }
  std::ranges::sort(files);
  return files;
}

void RingSet::discover(EventSink& sink) {
  for (const File& file : candidates()) tryOpen(file, sink);
  std::array<char, 4096> again{};
  sl_ring_again_path(again.data(), again.size(), job_dir_.c_str());
  if (!is_other_start_told_ && access(again.data(), F_OK) == 0) tellOtherStart(sink);
}

void RingSet::tryOpen(File file, EventSink& sink) {
  sl_ring_map map{};
  sl_ring_header ring{};
  const int error = openRing(ringPath(file.second, job_dir_, file.first), map, ring);
  if (error == EINVAL) return refuse(file, sink);
  if (error != 0) return;
  // Its first record says how large the world is, and comes before what the operating system says of its process.
  if (!is_world_given_ && ring.head == 0) return sl_ring_close(&map);
  if (!isOfOurStart(file.first, ring)) {
    passed_over_.insert(file);
    tellOtherStart(sink);
    return sl_ring_close(&map);
  }
  if (!isLearned(file.first, ring)) {
    sl_ring_close(&map);
    return refuse(file, sink);
  }
  take(file, map, ring, sink);
}

/// The first ring says how many there are. Whether the rank can be one of them.
bool RingSet::isLearned(std::int64_t rank, const sl_ring_header& ring) {
  const std::int64_t size = ring.world_size;
  const bool is_possible = rank < size && size <= frame::kMostRanks;
  if (seats_.empty() && is_possible) seats_.resize(static_cast<std::size_t>(size));
  return rank < static_cast<std::int64_t>(seats_.size());
}

bool RingSet::isOfOurStart(std::int64_t rank, const sl_ring_header& ring) const {
  if (found_ == 0) return true;
  const auto seat = static_cast<std::size_t>(rank);
  if (seat < seats_.size() && seats_[seat].process.pid != 0)  // its other ring is there
    return ring.world_size == seats_.size() && static_cast<pid_t>(ring.pid) == seats_[seat].process.pid;
  if (!is_world_given_ && ring.world_size != seats_.size()) return false;
  if (ring.world != 0 && world_ != 0) return ring.world == world_;
  return gone_ < found_ || static_cast<std::int64_t>(ring.started_ns) < gone_ns_;
}

void RingSet::take(File file, const sl_ring_map& map, const sl_ring_header& ring, EventSink& sink) {
  const auto [rank, kind] = file;
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  seat.rings.add(kind, map);
  if (seat.process.pid != 0) return;
  seat.process = {static_cast<pid_t>(ring.pid), ring.start_time};
  seat.host = hostOf(ring);
  seat.handle = handleOf(seat.process);
  if (seat.handle >= 0) handles_.push_back(seat.handle);
  if (world_ == 0) world_ = ring.world;
  if (told_world_ == 0) told_world_ = ring.world_size;
  ++found_;
  if (!is_world_given_) drainSeat(rank, sink);
  sink.event({eventTime(), RankProcess{rank, seat.process.pid, ProcessState::Running, seat.host}});
}

void RingSet::refuse(File file, EventSink& sink) {
  passed_over_.insert(file);
  sink.event({eventTime(), LogLine{file.first, true, words::ringOfAnotherFormat()}});
}

void RingSet::tellOtherStart(EventSink& sink) {
  if (std::exchange(is_other_start_told_, true)) return;
  sl_record hello{};
  hello.time_ns = sl_now();
  hello.kind = SL_HELLO;
  hello.seq = 1;
  const auto size = static_cast<std::int64_t>(seats_.size());
  const bool is_other_world = told_world_ > 0 && told_world_ != size;
  if (is_other_world) hello.b = static_cast<std::uint64_t>(told_world_);
  sink.records(0, {&hello, 1});
  const std::string said = is_other_world ? words::ranksOfOtherWorld(told_world_, size) : words::ranksStartedAgain();
  sink.event({eventTime(), LogLine{LogLine::kOwn, true, said}});
}

void RingSet::giveUpCut(std::int64_t rank, EventSink& sink) {
  RankRings& rings = seats_[static_cast<std::size_t>(rank)].rings;
  for (const RingKind kind : kRingKinds) {
    if (!rings.isCut(kind)) continue;
    rings.giveUp(kind);
    passed_over_.insert({rank, kind});
    if (const auto dropped = rings.changedDropped()) sink.event({eventTime(), RankDropped{rank, *dropped}});
    sink.event({eventTime(), LogLine{rank, true, words::ringCutShort()}});
  }
}

void RingSet::drainSeat(std::int64_t rank, EventSink& sink) {
  seats_[static_cast<std::size_t>(rank)].rings.drain(rank, batch_, sink);
  giveUpCut(rank, sink);
}

void RingSet::drain(EventSink& sink) {
  // The ring of a rank that is fast from its first moment must not be full before it is found.
  if (!is_world_given_ && found_ < std::max<std::int64_t>(1, static_cast<std::int64_t>(seats_.size()))) discover(sink);
  for (std::size_t rank = 0; rank < seats_.size(); ++rank) drainSeat(static_cast<std::int64_t>(rank), sink);
}

void RingSet::lookAtSlot(std::int64_t rank, EventSink& sink) {
  RankRings& rings = seats_[static_cast<std::size_t>(rank)].rings;
  if (const auto slot = rings.changedSlot()) sink.event({eventTime(), RankSlot{rank, *slot}});
  if (const auto dropped = rings.changedDropped()) sink.event({eventTime(), RankDropped{rank, *dropped}});
  giveUpCut(rank, sink);
}

void RingSet::lookAtProcess(std::int64_t rank, EventSink& sink) {
  Seat& seat = seats_[static_cast<std::size_t>(rank)];
  if (seat.state == ProcessState::Gone) return;
  const ProcessState state = stateOf(seat.process);
  if (state == seat.state) return;
  seat.state = state;
  if (state == ProcessState::Gone) {
    ++gone_;
    gone_ns_ = eventTime();
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
