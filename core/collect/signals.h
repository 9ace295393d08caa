// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace shardlens {

/// SIGINT, SIGTERM, SIGHUP and SIGCHLD as a readable file, and back to normal afterwards. Requests to stop that this
/// process was started to ignore (nohup) stay ignored. For the only thread of a process.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Readable when a signal has come.
  [[nodiscard]] int fd() const { return fd_; }
  /// How many requests to stop have come since the last call.
  [[nodiscard]] int stopRequests() const;

 private:
  int fd_ = -1;
  sigset_t before_{};
};

}  // namespace shardlens
