// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/event_source.h"
#include "core/wire/ring_file.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// Which ring of a rank: its own, or the one beside it for operations that other threads of the process report (NCCL).
enum class RingKind : std::uint8_t { Own, Beside };
constexpr std::array kRingKinds = {RingKind::Own, RingKind::Beside};

/// The file of a rank's ring.
std::string ringPath(RingKind kind, const std::string& job_dir, std::int64_t rank);

/// The rings of one rank, read as if they were one. Either may come first, or alone.
class RankRings {
 public:
  void add(RingKind kind, const sl_ring_map& map) { at(kind).map = map; }
  void closeAll();
  /// Whether reading found the ring's file shorter than it was: then nothing may be read of it any more, but giveUp().
  [[nodiscard]] bool isCut(RingKind kind) const { return rings_[static_cast<std::size_t>(kind)].is_cut; }
  /// What the ring may still hold is lost.
  void giveUp(RingKind kind);
  [[nodiscard]] const sl_ring_map& map(RingKind kind) const { return rings_[static_cast<std::size_t>(kind)].map; }
  [[nodiscard]] bool has(RingKind kind) const { return map(kind).ring != nullptr; }

  /// Delivers everything written since the last call, at most one ring full of each: a rank that writes faster than we
  /// read must not keep us from the others. `buffer` is memory to read into. Where both rings have records these come
  /// in the order of their times, and those beside are of the epoch and step that the rank is in.
  void drain(std::int64_t rank, std::vector<sl_record>& buffer, EventSink& sink);
  /// What the rank is in; nothing when that has not changed.
  std::optional<sl_slot> changedSlot();
  /// Records that are lost so far; nothing when that has not changed.
  std::optional<std::int64_t> changedDropped();

 private:
  struct Ring {
    sl_ring_map map{};
    std::optional<sl_slot> slot;
    std::uint64_t dropped = 0;
    bool is_cut = false;
  };
  template <class Read>
  static auto read(Ring& ring, const Read& read);
  Ring& at(RingKind kind) { return rings_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::vector<sl_record> popAll(RingKind kind);
  void drainBoth(std::int64_t rank, EventSink& sink);

  std::array<Ring, kRingKinds.size()> rings_;
  std::uint64_t dropped_ = 0;
  std::uint32_t epoch_ = 0;  ///< of the last record of the rank's own ring
  std::uint32_t step_ = 0;
};

/// The slot of a rank whose rings say these: the phase of its own ring, and the operation that has been open longest.
sl_slot joinedSlot(const sl_slot& own, const sl_slot& beside);

}  // namespace shardlens
