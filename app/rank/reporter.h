// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/ring_file.h"

#include <array>
#include <cstdint>
#include <string>
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
  /// Says who is in the one group of this rank beside the world; before its first operation in it.
  void describeGroup(std::uint32_t group, const std::vector<std::uint32_t>& members, const std::string& name);
  /// An operation of the world, or of the group that was described.
  void enter(std::uint16_t op, std::uint64_t bytes, std::uint32_t group = SL_WORLD);
  void leave();
  void bye(int exit_code);

 private:
  using Counts = std::array<std::uint64_t, SL_OP_SCATTER + 1>;

  /// Stamps the record with the time and gives it to the ring, when there is one.
  void send(sl_record& record);
  void push(std::uint16_t kind, std::uint64_t a, std::uint64_t b = 0);
  void show(std::uint16_t phase, std::uint16_t op);

  sl_ring_map map_{};
  sl_record now_{};  ///< op, epoch, step, group and seq of the next record
  std::uint64_t began_ns_ = 0;
  Counts next_seq_{};         ///< in the world, by operation
  Counts next_in_group_{};    ///< likewise, in the other group
  std::uint32_t handle_ = 0;  ///< of the last operation
};

}  // namespace shardlens::rank
