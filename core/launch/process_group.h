// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/launch/launch_command.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace shardlens {

/// A process to start, ready for exec. The descriptors are those of pipes that close on exec.
struct Image {
  char** arguments = nullptr;
  char** environment = nullptr;
  bool is_launcher = false;  ///< it ends its ranks itself when it is asked to
  int output = -1;           ///< becomes its standard output
  int errors = -1;           ///< becomes its standard error
  int failure = -1;          ///< takes the errno of an exec that failed; closed by one that did not
};

/// What the warden reports about one of its images, in one piece through a pipe.
struct WardenNews {
  std::int32_t image = 0;
  std::int32_t pid = 0;
  std::int32_t status = 0;  ///< as waitpid gives it, once it has ended
  std::int32_t has_ended = 0;
};

/// Forks the warden of a job: a process between us and the job that starts every image, reports about them through the
/// pipe `news`, and lives until the other end of the pipe `life` is closed: by us, or by the kernel when we died for
/// any reason. Then it ends all its descendants; orphans of the job become its children (PR_SET_CHILD_SUBREAPER). It
/// has a session of its own and ignores every signal except SIGKILL; when that comes, the kernel sends SIGTERM to a
/// launcher and SIGKILL to a rank. When we died, it also removes `folder`, the job's, unless that is empty, because we
/// no longer can. Returns its pid, or -1 with errno.
pid_t forkWarden(std::span<const Image> images, int life, int news, const std::filesystem::path& folder);

/// A process that a launch started itself: the launcher, or a rank.
struct StartedProcess {
  std::int64_t rank = -1;  ///< -1: the launcher
  ProcessId id;
  int output = -1;  ///< non-blocking end of its standard output, and of what inherited that
  int errors = -1;  ///< likewise of its standard error
  std::optional<ProcessExit> exit;
};

/// The processes of a launch and everything that descends from them. A process of our own, the warden, is between
/// us and them: it outlives us by as long as it takes to end the job, whatever ends us. Each started process gets a
/// session of its own, so that Ctrl+C at our terminal reaches only us. If the warden is killed, the kernel sends
/// SIGTERM to a launcher, which then ends its ranks, and SIGKILL to a rank; orphans of the job then become our children
/// (PR_SET_CHILD_SUBREAPER). A process that has a group has no other children.
class ProcessGroup {
 public:
  /// Starts every process of the launch, or none. Environment when there is no such program or it cannot be executed.
  static Result<ProcessGroup> start(const Launch& launch);
  /// Kills what is left, and waits for it and for the warden.
  ~ProcessGroup();
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&& other) noexcept;

  [[nodiscard]] const std::vector<StartedProcess>& processes() const { return processes_; }

  /// Readable when collect() has something to report.
  [[nodiscard]] int news() const { return news_; }
  /// Collects ended processes. Those of processes() that ended since the last call, in the order in which this was
  /// reported.
  std::vector<StartedProcess> collect();
  /// How the job ended, once all of processes() have ended: the first exit that is not a success, otherwise code 0.
  [[nodiscard]] std::optional<ProcessExit> exit() const;
  /// Passes a signal on to each of processes() that has not ended.
  void pass(int signal) const;
  /// Asks the job to end (SIGTERM to each of processes()); stopped processes are woken so that they hear it.
  void terminate();
  /// Sends SIGKILL to every process of the job, again and again until none is left or the time is over. Returns whether
  /// none is left.
  bool kill(std::chrono::milliseconds most = std::chrono::seconds(5));

 private:
  struct Preparation;

  ProcessGroup() = default;
  int begin(Preparation& prepared, const std::filesystem::path& folder);
  Result<void> hear(Preparation& prepared);
  [[nodiscard]] std::vector<ProcessStat> job() const;
  void readNews(std::vector<StartedProcess>& ended);
  void end(StartedProcess& process, int status, std::vector<StartedProcess>& ended);
  void wardenIsGone(std::vector<StartedProcess>& ended);
  void dismiss();

  std::vector<StartedProcess> processes_;
  std::size_t ended_ = 0;
  ProcessExit exit_;  ///< the first that is not a success
  pid_t warden_ = 0;  ///< 0: there is none, or no longer
  int life_ = -1;     ///< closed to dismiss the warden
  int news_ = -1;     ///< what the warden reports
};

}  // namespace shardlens
