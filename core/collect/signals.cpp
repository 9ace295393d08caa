// SPDX-License-Identifier: Apache-2.0
#include "core/collect/signals.h"

#include <algorithm>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace shardlens {
namespace {

constexpr std::array kIgnored = {SIGPIPE, SIGXFSZ};

/// A signalfd gets every blocked signal, also those that are ignored otherwise: they must not be blocked.
bool isIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (isatty(fd) == 1) terminals_.push_back(fd);
  }
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    if (!isIgnored(signal)) sigaddset(&wanted, signal);
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < kIgnored.size(); ++i) sigaction(kIgnored[i], &ignore, &actions_[i]);
  pthread_sigmask(SIG_BLOCK, &wanted, &before_);
  fd_ = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

Signals::~Signals() {
  close(fd_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  for (std::size_t i = 0; i < kIgnored.size(); ++i) sigaction(kIgnored[i], &actions_[i], nullptr);
}

bool Signals::terminalIsGone() const {
  return std::ranges::any_of(terminals_, [](int fd) {
    pollfd asked{fd, 0, 0};
    return poll(&asked, 1, 0) == 1 && (asked.revents & POLLHUP) != 0;
  });
}

Asked Signals::take() const {
  Asked asked;
  signalfd_siginfo info{};
  while (read(fd_, &info, sizeof(info)) == sizeof(info)) {
    const auto signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGUSR1 || signal == SIGUSR2) {
      asked.passed.push_back(signal);
    } else if (signal == SIGHUP && terminalIsGone()) {
      asked.terminal_gone = true;
    } else if (signal != SIGCHLD) {
      if (asked.stops++ > 0) continue;
      asked.stop_signal = signal;
      asked.is_users_stop = signal == SIGINT || signal == SIGQUIT || info.ssi_code == SI_QUEUE;  // as endJob() sends it
    }
  }
  return asked;
}

}  // namespace shardlens
