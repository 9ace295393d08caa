// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/record/event.h"
#include "core/record/recording_writer.h"
#include "core/wire/ring.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace shardlens::abi {

/// Records what one rank consumes, in a segment of its own. The training thread puts records into a ring and goes on; a
/// thread of this object takes them out and writes them. Readers may follow the recording while it grows.
class RankRecorder {
 public:
  /// Begins a segment in `folder`, which exists. `begin` says which job it is, the same on all ranks.
  static Result<std::unique_ptr<RankRecorder>> open(const std::filesystem::path& folder, std::int64_t rank,
                                                    const RunBegin& begin);
  ~RankRecorder();
  RankRecorder(const RankRecorder&) = delete;
  RankRecorder& operator=(const RankRecorder&) = delete;

  /// Never waits: where the ring is full, the records are left out and counted.
  void batch(std::int64_t epoch, std::int64_t step, const std::vector<SampleIndex>& ids);
  /// Returns when the operating system has everything, or says why it does not.
  Result<void> close(const std::string& failure);

 private:
  RankRecorder(RecordingWriter writer, std::int64_t rank, std::uint32_t world_size);
  Result<void> startThread();
  void push(std::uint16_t kind, std::uint64_t a = 0, std::uint64_t b = 0);
  void endEpoch();
  void loop(const std::stop_token& end);
  void drain();

  std::vector<std::uint64_t> memory_;  ///< of the ring
  sl_ring_header* ring_;
  std::int64_t rank_;
  // Of the training thread.
  std::uint32_t epoch_ = 0;
  std::uint32_t step_ = 0;
  std::uint64_t steps_ = 0;  ///< in this epoch
  bool in_epoch_ = false;
  bool is_closed_ = false;
  // Of the thread that writes, and of close() once that thread has ended.
  RecordingWriter writer_;
  std::uint64_t told_dropped_ = 0;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace shardlens::abi
