// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/diagnose/reducer.h"
#include "core/launch/launch_command.h"
#include "core/record/event.h"
#include "core/record/recording_writer.h"

#include <chrono>
#include <functional>
#include <string>

namespace shardlens {

/// One job to run and watch.
struct Job {
  LaunchCommand command;
  RunBegin begin;
  std::string job_dir;
  std::string program;     ///< name of the rank program, "mpi_rank"; empty for a command of the user's
  ExpectedBatch expected;  ///< of the plan; may be empty
  /// How long a job that cannot go on (ranks in different collectives, a dead rank) is left standing, and how long its
  /// processes have between SIGTERM and SIGKILL.
  std::chrono::milliseconds grace{5000};
};

/// What somebody who watches is told while the job runs, on the thread that supervises.
struct Watcher {
  std::function<void(const RunState&)> on_state;  ///< about ten times a second
  std::function<void(const LogLine&)> on_line;
};

/// Runs the job to its end: starts it, drains the rings, records every event, and leaves no process
/// behind. SIGINT, SIGTERM and SIGHUP to this process stop the job; a second one kills it at once. Nothing that the job
/// does is an error here: the RunEnd and the last state say how it went.
class Supervisor {
 public:
  Supervisor(Job job, RecordingWriter writer, Watcher watcher);

  /// Blocks until the job is over. Call from the only thread of the process.
  RunState run();
  /// Records a job that cannot even be started, and why.
  RunState refuse(const Error& why);
  /// Why the recording is incomplete, when it could not be written to its end.
  [[nodiscard]] const Result<void>& recording() const { return recording_; }

 private:
  class Watch;
  void begin();
  void event(const Event& event);
  void line(const LogLine& line);
  RunState finish(const RunEnd& end);
  RunEnd failedStart(const Error& error);
  RunEnd verdictOn(int exit_status, const RunState& state) const;
  void heedLauncher(const std::string& text);
  [[nodiscard]] std::string failureOf(int exit_status) const;

  Job job_;
  RecordingWriter writer_;
  Watcher watcher_;
  Reducer reducer_;
  Result<void> recording_;
  bool by_user_ = false;
  std::string stop_reason_;  ///< why we ended the job; empty when we did not
  std::string last_error_of_rank_;
  std::string first_error_of_launcher_;
  long long failed_rank_ = -1;  ///< that the launcher says ended with a code
  int failed_code_ = 0;
  std::int64_t logged_bytes_ = 0;
};

}  // namespace shardlens
