// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/collect/event_source.h"
#include "core/collect/rank_rings.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shardlens {

/// The rings of all ranks of a job, from the reader's side, and what the operating system says about their processes.
/// Rings are found when the ranks make them. They are those of one start of ranks, the first. That there was a later
/// one is told once, as an SL_HELLO whose seq is 1 and a line of our own.
class RingSet {
 public:
  /// `world_size` 0: not known. Then it is that of the first ring.
  RingSet(std::string job_dir, std::int64_t world_size);
  ~RingSet();
  RingSet(const RingSet&) = delete;
  RingSet& operator=(const RingSet&) = delete;

  /// Looks for new rings, and reports each one as a RankProcess.
  void discover(EventSink& sink);
  /// Delivers everything written since the last call, rank by rank. While ranks of a world that was not given are
  /// missing, it looks for new rings, too.
  void drain(EventSink& sink);
  /// Slots and drop counts that changed since the last call, and processes that stopped, continued or are gone. A
  /// process that is gone has its last records drained first.
  void look(EventSink& sink);

  /// One for each living rank: becomes readable the moment its process ends.
  [[nodiscard]] const std::vector<int>& processHandles() const { return handles_; }
  [[nodiscard]] std::int64_t found() const { return found_; }

 private:
  struct Seat {
    RankRings rings;
    ProcessId process;
    std::string host;
    int handle = -1;
    ProcessState state = ProcessState::Running;
  };
  using File = std::pair<std::int64_t, RingKind>;  ///< of a rank

  [[nodiscard]] std::vector<File> candidates() const;
  void tryOpen(File file, EventSink& sink);
  [[nodiscard]] bool isLearned(std::int64_t rank, const sl_ring_header& ring);
  [[nodiscard]] bool isOfOurStart(std::int64_t rank, const sl_ring_header& ring) const;
  void take(File file, const sl_ring_map& map, const sl_ring_header& ring, EventSink& sink);
  void refuse(File file, EventSink& sink);
  void tellOtherStart(EventSink& sink);
  void giveUpCut(std::int64_t rank, EventSink& sink);
  void drainSeat(std::int64_t rank, EventSink& sink);
  void lookAtSlot(std::int64_t rank, EventSink& sink);
  void lookAtProcess(std::int64_t rank, EventSink& sink);

  std::string job_dir_;
  bool is_world_given_;
  std::vector<Seat> seats_;      ///< one for each rank; none before the world size is known
  std::set<File> passed_over_;   ///< that are no rings, or not of our start
  std::uint64_t world_ = 0;      ///< of the first ring that knows its number
  std::int64_t told_world_ = 0;  ///< how many ranks there are, as the first ring says
  std::int64_t gone_ = 0;        ///< processes that are
  std::int64_t gone_ns_ = 0;     ///< when the last one of these was seen to be
  bool is_other_start_told_ = false;
  std::vector<int> handles_;
  std::vector<sl_record> batch_;
  std::int64_t found_ = 0;
};

}  // namespace shardlens
