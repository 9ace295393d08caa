// SPDX-License-Identifier: Apache-2.0
#include "core/launch/warden.h"

#include "core/base/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace shardlens {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a launcher has to end its ranks, some of which may be on other hosts, when the supervisor died.
constexpr std::chrono::seconds kLauncherGrace{5};
/// After this, what is left cannot be killed.
constexpr std::chrono::seconds kPatience{10};

sigset_t everySignal() {
  sigset_t all;
  sigfillset(&all);
  return all;
}

/// Between fork and exec: nothing but system calls.
[[noreturn]] void become(const Image& image, pid_t parent) {
  setsid();
  prctl(PR_SET_PDEATHSIG, image.is_launcher ? SIGTERM : SIGKILL);
  if (getppid() != parent) _exit(127);
  dup2(image.output, STDOUT_FILENO);
  dup2(image.errors, STDERR_FILENO);
  for (const int ignored_by_us : {SIGPIPE, SIGXFSZ}) signal(ignored_by_us, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(image.arguments[0], image.arguments, image.environment);
  const int error = errno;
  (void)!write(image.failure, &error, sizeof(error));
  _exit(127);
}

void closeRange(unsigned first, unsigned last) {
  constexpr unsigned kMost = 65536;  // where the kernel is older than 5.9
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned fd = first; fd <= std::min(last, kMost); ++fd) close(static_cast<int>(fd));
}

/// Nothing of the supervisor's may stay open because of us: its recording, its terminal, who reads its output. `kept`
/// is in ascending order.
void closeAllBut(std::span<const int> kept) {
  unsigned next = 3;
  for (const int fd : kept) {
    const auto number = static_cast<unsigned>(fd);
    if (number > next) closeRange(next, number - 1);
    next = std::max(next, number + 1);
  }
  closeRange(next, ~0U);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, fd);
  if (nothing > STDERR_FILENO) close(nothing);
}

class Warden {
 public:
  /// Made before the fork, with all memory that it needs until the job is over: another thread may hold a lock of the
  /// allocator just then.
  Warden(std::span<const Image> images, int life, int news, const std::filesystem::path& folder)
      : images_(images), life_(life), news_(news), folder_(folder), supervisor_(getpid()), kept_{life, news} {
    for (const Image& image : images) kept_.insert(kept_.end(), {image.output, image.errors, image.failure});
    std::sort(kept_.begin(), kept_.end());
    pids_.reserve(images.size());
  }

  [[noreturn]] void work() {
    const sigset_t all = everySignal();
    sigprocmask(SIG_SETMASK, &all, nullptr);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "shardlens-ward");
    closeAllBut(kept_);
    for (const Image& image : images_) start(image);
    wait();
    finishOff();
    if (getppid() != supervisor_) removeFolder();
    _exit(0);
  }

 private:
  void start(const Image& image) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) become(image, parent);
    const int error = errno;
    if (child < 0) (void)!write(image.failure, &error, sizeof(error));
    tell({static_cast<std::int32_t>(pids_.size()), child, 0, 0});
    pids_.push_back(child);
    for (const int fd : {image.output, image.errors, image.failure}) close(fd);
  }

  void tell(const WardenNews& news) const { (void)!write(news_, &news, sizeof(news)); }

  /// Until the supervisor lets go of the pipe. It writes nothing into it.
  void wait() {
    const sigset_t all = everySignal();
    const int signals = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
    std::array<pollfd, 2> fds = {pollfd{life_, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
    while (true) {
      collect();
      (void)poll(fds.data(), fds.size(), -1);
      if (fds[0].revents != 0) return;
      signalfd_siginfo info{};
      while (read(signals, &info, sizeof(info)) == sizeof(info)) {
      }
    }
  }

  void collect() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      const auto found = std::find(pids_.begin(), pids_.end(), pid);
      if (found == pids_.end()) continue;  // an orphan of the job
      tell({static_cast<std::int32_t>(found - pids_.begin()), pid, status, 1});
      *found = 0;
    }
  }

  /// Ends the job, launchers first by word: they may have ranks on other hosts.
  void finishOff() {
    bool has_launcher = false;
    for (std::size_t i = 0; i < pids_.size(); ++i) {
      if (pids_[i] <= 0 || !images_[i].is_launcher) continue;
      for (const int signal : {SIGTERM, SIGCONT}) kill(pids_[i], signal);
      has_launcher = true;
    }
    if (has_launcher) (void)awaitEnd(kLauncherGrace, 0);
    (void)awaitEnd(kPatience, SIGKILL);
  }

  /// Sends the signal, if any, to everything that is left, again and again.
  bool awaitEnd(std::chrono::seconds most, int signal) {
    const auto until = Clock::now() + most;
    while (true) {
      const auto left = descendants(getpid());
      for (const ProcessStat& process : left) {
        if (signal != 0) kill(process.id.pid, signal);
      }
      collect();
      if (left.empty() || Clock::now() > until) return left.empty();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  /// A living supervisor does this itself, once it has read what the ranks left there.
  void removeFolder() const {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  std::span<const Image> images_;
  int life_;
  int news_;
  const std::filesystem::path& folder_;
  pid_t supervisor_;
  std::vector<int> kept_;    ///< descriptors, in ascending order
  std::vector<pid_t> pids_;  ///< of the images; 0: has ended
};

}  // namespace

pid_t forkWarden(std::span<const Image> images, int life, int news, const std::filesystem::path& folder) {
  Warden warden(images, life, news, folder);
  const sigset_t all = everySignal();
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no signal may end it before it has blocked them itself
  const pid_t pid = fork();
  if (pid == 0) warden.work();
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

}  // namespace shardlens
