// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/collect/event_source.h"
#include "core/collect/job.h"
#include "core/collect/job_ending.h"
#include "core/collect/recorded_run.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace shardlens {

class JobSource;
class Signals;

/// What a watcher gets while the job runs, on the thread that supervises.
struct Watcher {
  std::function<void(const RunState&)> on_state;  ///< about ten times a second
  std::function<void(const LogLine&)> on_line;
  /// Why the job is to be ended now, asked after each state; empty: it continues.
  std::function<std::string(const RunState&)> why_end = {};
};

/// Runs the job to its end: starts it, drains the rings, records every event in the run file, and leaves no process
/// behind. Ends a job that cannot continue, unless it is a command that was typed. SIGINT, SIGTERM, SIGQUIT and SIGHUP
/// to this process stop the job, a second one kills it at once; SIGUSR1 and SIGUSR2 are passed on to it. A failure of
/// the job is no error here: the RunEnd and the last state say how it ended.
class Supervisor : private EventSink {
 public:
  Supervisor(Job job, RecordingWriter writer, Watcher watcher);

  /// Blocks until the job is over; one that cannot even be started is recorded with the reason. Call once, from the
  /// only thread of the process that takes signals.
  RunState run();
  /// Why the recording is incomplete, when the run file could not be written to its end.
  [[nodiscard]] const Result<void>& recording() const { return recording_; }
  /// Whether the recording has no end: the disk failed or was full, or the file was removed. What was left out because
  /// the disk is slow does not count.
  [[nodiscard]] bool recordingHasStopped() const { return run_.writer().hasStopped(); }

 private:
  void event(const Event& event) override;
  void records(std::int64_t rank, std::span<const sl_record> records) override;
  void tell();
  RunEnd runJob(const Signals& signals);
  RunEnd failedStart(const Error& error);

  Job job_;
  RecordedRun run_;
  Watcher watcher_;
  JobEnding ending_;
  JobSource* source_ = nullptr;  ///< while the job runs
  Result<void> recording_;
  std::optional<std::chrono::steady_clock::time_point> hopeless_since_;
  std::int64_t logged_bytes_ = 0;
};

}  // namespace shardlens
