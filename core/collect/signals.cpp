// SPDX-License-Identifier: Apache-2.0
#include "core/collect/signals.h"

#include <initializer_list>
#include <sys/signalfd.h>
#include <unistd.h>

namespace shardlens {
namespace {

/// A signalfd gets every blocked signal, also those that are ignored otherwise: they must not be blocked.
bool isIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals() {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!isIgnored(signal)) sigaddset(&wanted, signal);
  }
  pthread_sigmask(SIG_BLOCK, &wanted, &before_);
  fd_ = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

Signals::~Signals() {
  close(fd_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::stopRequests() const {
  int requests = 0;
  signalfd_siginfo info{};
  while (read(fd_, &info, sizeof(info)) == sizeof(info)) requests += info.ssi_signo != SIGCHLD ? 1 : 0;
  return requests;
}

}  // namespace shardlens
