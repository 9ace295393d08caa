// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/event_source.h"
#include "core/collect/job.h"
#include "core/collect/output_lines.h"
#include "core/collect/ring_set.h"
#include "core/collect/signals.h"
#include "core/collect/stack_files.h"
#include "core/launch/process_group.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// The events of a job that this process runs, until its last process is gone: records and slots of its rings, what the
/// operating system says about its processes, what ranks and launcher print, and a Tick about ten times a second.
/// Requests to stop that come as signals stop the job, a second one kills it at once; SIGUSR1 and SIGUSR2 are passed
/// on.
class JobSource : public EventSource {
 public:
  /// Starts the job; both must outlive this. Environment when its launcher, or its command, cannot be executed.
  static Result<JobSource> start(Job& job, const Launch& launch, const Signals& signals);

  bool pull(EventSink& sink) override;
  /// Begins to end the job, once: says so as a RunStopping, asks its processes to end, and after the job's grace kills
  /// them.
  void stop(EventSink& sink, bool by_user, const std::string& why);
  /// How the launcher, or all ranks, ended; nothing while the job runs.
  [[nodiscard]] const std::optional<ProcessExit>& exit() const { return exit_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// What one of the started processes prints.
  struct Stream {
    int fd = -1;
    bool is_open = true;
    PrintedOutput output;
  };

  JobSource(Job& job, ProcessGroup group, const Signals& signals);
  void wait();
  void handleStop(EventSink& sink);
  void drain(EventSink& sink);
  void showProgress(EventSink& sink);
  void lookAtLauncher(EventSink& sink);
  void look(EventSink& sink);
  void collect(EventSink& sink);
  void finish(EventSink& sink);
  void print(EventSink& sink, const PrintedLine& line);

  Job* job_;
  ProcessGroup group_;
  const Signals* signals_;
  std::unique_ptr<RingSet> rings_;
  StackFiles stacks_;
  std::vector<Stream> streams_;
  bool ending_ = false;
  bool launcher_stopped_ = false;
  std::optional<ProcessExit> exit_;
  Clock::time_point next_look_ = Clock::now();
  Clock::time_point next_progress_ = Clock::now();
  Clock::time_point kill_at_;
};

}  // namespace shardlens
