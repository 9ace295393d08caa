// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace shardlens {

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
