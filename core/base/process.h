// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace shardlens {

/// A process that cannot be mistaken for a later one with the same number.
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start_time = 0;  ///< clock ticks since boot, as in /proc/<pid>/stat

  bool operator==(const ProcessId&) const = default;
  auto operator<=>(const ProcessId&) const = default;
};

/// One line of /proc/<pid>/stat.
struct ProcessStat {
  ProcessId id;
  pid_t parent = 0;
  char state = '?';  ///< R running, S sleeping, T stopped, Z ended and not yet collected, ...
};

/// Nothing when there is no such process, or no longer.
std::optional<ProcessStat> processStat(pid_t pid);

/// This process.
ProcessId thisProcess();

/// Whether this very process still exists and has not ended: zombies count as gone.
bool isAlive(const ProcessId& process);

/// All living descendants of `root`, without itself, parents before children.
std::vector<ProcessStat> descendants(pid_t root);

/// "signal 9 (SIGKILL)".
std::string signalName(int signal);

/// Opens /dev/null in place of standard streams that this process was started without, so that the next file that it
/// opens does not become one. Writing to stdout then fails, as it would without a stream. Call
/// first.
void fillStandardStreams();

/// How many cores this process may use.
std::int64_t usableCores();

/// While this lives, the calling thread and those that it starts take no signals: they are for other threads of the
/// process.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace shardlens
