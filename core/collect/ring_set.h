// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/collect/event_source.h"
#include "core/wire/ring_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens {

/// The rings of all ranks of a job, from the reader's side, and what the operating system says about their processes.
/// Rings are found when the ranks make them.
class RingSet {
 public:
  RingSet(std::string job_dir, std::int64_t world_size);
  ~RingSet();
  RingSet(const RingSet&) = delete;
  RingSet& operator=(const RingSet&) = delete;

  /// Looks for new rings, and reports each one as a RankProcess.
  void discover(EventSink& sink);
  /// Delivers everything written since the last call, rank by rank.
  void drain(EventSink& sink);
  /// Slots and drop counts that changed since the last call, and processes that stopped, continued or are gone. A
  /// process that is gone has its last records drained first.
  void look(EventSink& sink);

  /// One for each living rank: becomes readable the moment its process ends.
  [[nodiscard]] const std::vector<int>& processHandles() const { return handles_; }
  [[nodiscard]] std::int64_t found() const { return found_; }

 private:
  struct Seat {
    sl_ring_map map{};
    ProcessId process;
    std::string host;
    int handle = -1;
    ProcessState state = ProcessState::Running;
    std::uint64_t slot_time_ns = 0;
    std::uint64_t dropped = 0;
    bool is_refused = false;  ///< its file is no ring
  };
  bool isCutShort(std::int64_t rank, EventSink& sink);
  void drainSeat(std::int64_t rank, EventSink& sink);
  void lookAtSlot(std::int64_t rank, EventSink& sink);
  void lookAtProcess(std::int64_t rank, EventSink& sink);

  std::string job_dir_;
  std::vector<Seat> seats_;
  std::vector<int> handles_;
  std::vector<sl_record> batch_;
  std::int64_t found_ = 0;
};

}  // namespace shardlens
