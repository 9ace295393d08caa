// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/ring_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace shardlens::rank {

/// Says through the rank's ring what it does. Without a ring every call does nothing: reporting never stops a job.
class Reporter {
 public:
  Reporter() = default;
  ~Reporter() { sl_ring_close(&map_); }
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  /// Makes the ring and says hello. Empty, or why there is no ring, in a sentence.
  std::string open(const std::string& job_dir, std::int64_t rank, std::int64_t world_size);

  void epochBegin(std::int64_t epoch, std::int64_t planned_steps);
  void epochEnd(std::int64_t steps);
  void stepBegin(std::int64_t step);
  void stepEnd();
  void batch(std::int64_t step, std::uint64_t fingerprint, std::int64_t samples);
  void phaseBegin(std::uint16_t phase, std::int64_t step);
  void phaseEnd();
  /// Says who is in a group of this rank beside the world; before its first operation in it.
  void describeGroup(std::uint32_t group, const std::vector<std::uint32_t>& members, const std::string& name);
  /// An operation of the world, or of a group that was described. `peer`: its root, or the other side of a message.
  void enter(std::uint16_t op, std::uint64_t bytes, std::uint32_t group = SL_WORLD, std::uint32_t peer = SL_NO_PEER);
  void leave();
  void bye(int exit_code);

 private:
  /// Stamps the record with the time and gives it to the ring, when there is one.
  void send(sl_record& record);
  void push(std::uint16_t kind, std::uint64_t a, std::uint64_t b = 0);
  void show(std::uint16_t phase, std::uint16_t op);

  sl_ring_map map_{};
  sl_record now_{};  ///< op, epoch, step, group and seq of the next record
  std::uint64_t began_ns_ = 0;
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>, std::uint64_t>
      next_seq_;                     ///< by group and operation, and of messages by the other side
  std::uint32_t handle_ = 0;         ///< of the last operation
  std::uint32_t peer_ = SL_NO_PEER;  ///< likewise
};

}  // namespace shardlens::rank
