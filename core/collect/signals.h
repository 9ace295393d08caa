// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>
#include <vector>

namespace shardlens {

/// What has been asked of this process.
struct Asked {
  int stops = 0;               ///< requests to stop the job
  int stop_signal = 0;         ///< the first of these
  bool is_users_stop = false;  ///< it came from the keyboard, or from a program that stops the job for its user
  std::vector<int> passed;     ///< signals that are for the job (SIGUSR1, SIGUSR2), in the order in which they came
  bool terminal_gone = false;  ///< our terminal was closed: a hangup that requests nothing
};

/// The signals of a process that supervises a job, as a readable file; restores them at its end. SIGINT, SIGTERM,
/// SIGQUIT and SIGHUP ask to stop the job, except for the hangup of a terminal that was closed: the job continues
/// without it. Signals that this process was started to ignore (nohup) stay ignored. Writing to a closed pipe, or
/// beyond a limit on the size of files, is an error here and does not end the process (SIGPIPE, SIGXFSZ). For the
/// thread that takes the process's signals.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Readable when a signal has come.
  [[nodiscard]] int fd() const { return fd_; }
  /// What has come since the last call.
  [[nodiscard]] Asked take() const;

 private:
  [[nodiscard]] bool terminalIsGone() const;

  int fd_ = -1;
  sigset_t before_{};
  std::array<struct sigaction, 2> actions_{};  ///< of the signals that are ignored for that time
  std::vector<int> terminals_;                 ///< standard streams that were a terminal when this began
};

}  // namespace shardlens
