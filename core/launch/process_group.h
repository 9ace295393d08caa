// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/launch/launch_command.h"

#include <chrono>
#include <optional>

namespace shardlens {

/// A launcher and everything that descends from it. The launcher gets a session of its own, so that Ctrl+C at our
/// terminal reaches us alone, and a SIGTERM from the kernel should we die. Orphans of the job come to this process
/// (PR_SET_CHILD_SUBREAPER), which therefore finds them all by /proc. One at a time in a process, and that process has
/// no other children.
class ProcessGroup {
 public:
  /// Starts the command. Environment when there is no such program or it cannot be executed.
  static Result<ProcessGroup> start(const LaunchCommand& command);
  /// Kills what is left, and waits for it.
  ~ProcessGroup();
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&& other) noexcept;

  [[nodiscard]] const ProcessId& launcher() const { return launcher_; }
  /// Non-blocking ends of the job's standard output and error; -1 after closeOutput().
  [[nodiscard]] int output() const { return output_; }
  [[nodiscard]] int errors() const { return errors_; }

  /// Collects ended processes. How the launcher ended, once it has.
  std::optional<ProcessExit> collect();
  /// Asks the launcher to end the job (SIGTERM); stopped processes are woken so that they hear it.
  void terminate();
  /// SIGKILL for every process of the job, again and again until none is left or the time is over. Whether none is.
  bool kill(std::chrono::milliseconds most = std::chrono::seconds(5));

 private:
  ProcessGroup() = default;
  ProcessId launcher_;
  int output_ = -1;
  int errors_ = -1;
  std::optional<ProcessExit> exit_;
};

}  // namespace shardlens
