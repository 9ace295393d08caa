// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/launch/launch_command.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {

/// A process that a launch started itself: the launcher, or a rank.
struct StartedProcess {
  std::int64_t rank = -1;  ///< -1: the launcher
  ProcessId id;
  int output = -1;  ///< non-blocking end of its standard output, and of what inherited that
  int errors = -1;  ///< likewise of its standard error
  std::optional<ProcessExit> exit;
};

/// The processes of a launch and everything that descends from them. Each gets a session of its own, so that Ctrl+C at
/// our terminal reaches us alone, and a signal from the kernel should we die: SIGTERM for a launcher, which ends its
/// ranks then, SIGKILL for a rank. Orphans of the job come to this process (PR_SET_CHILD_SUBREAPER), which therefore
/// finds them all by /proc. One at a time in a process, and that process has no other children.
class ProcessGroup {
 public:
  /// Starts every process of the launch, or none. Environment when there is no such program or it cannot be executed.
  static Result<ProcessGroup> start(const Launch& launch);
  /// Kills what is left, and waits for it.
  ~ProcessGroup();
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&& other) noexcept;

  [[nodiscard]] const std::vector<StartedProcess>& processes() const { return processes_; }

  /// Collects ended processes. Those of processes() that ended since the last call, in the order in which that was
  /// heard.
  std::vector<StartedProcess> collect();
  /// How the job ended, once all of processes() have: the first exit that is no success, otherwise code 0.
  [[nodiscard]] std::optional<ProcessExit> exit() const;
  /// Asks the job to end (SIGTERM to each of processes()); stopped processes are woken so that they hear it.
  void terminate();
  /// SIGKILL for every process of the job, again and again until none is left or the time is over. Whether none is.
  bool kill(std::chrono::milliseconds most = std::chrono::seconds(5));

 private:
  ProcessGroup() = default;
  Result<void> add(const LaunchCommand& command);

  std::vector<StartedProcess> processes_;
  std::size_t ended_ = 0;
  ProcessExit exit_;  ///< the first that is no success
};

}  // namespace shardlens
