// SPDX-License-Identifier: Apache-2.0
#include "core/launch/process_group.h"

#include "core/base/phrase.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

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

constexpr std::chrono::seconds kWardenPatience{10};  ///< it has to look through all processes of a busy host

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

bool openPipe(Pipe& out) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  out = {ends[0], ends[1]};
  return true;
}

void closeEnd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

Error startError(const LaunchCommand& command, int error) {
  return Error{ErrorCode::Environment,
               filled(worded("launch", "%1 cannot be started: %2."), command.arguments.front(), std::strerror(error)),
               {},
               worded("launch", "check that the file is a program and that you may run it")};
}

/// What is written in one piece comes in one piece.
bool readWhole(int fd, void* to, std::size_t bytes) {
  ssize_t got = 0;
  do got = read(fd, to, bytes);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(bytes);
}

/// Waits until the exec has happened (the pipe closes) or failed (its errno comes).
int execError(int failure) {
  int error = 0;
  return readWhole(failure, &error, sizeof(error)) ? error : 0;
}

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

/// All that the warden needs to start the processes, made before it is forked.
struct ProcessGroup::Preparation {
  struct One {
    const LaunchCommand* command = nullptr;
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::vector<char*> argument_list;
    std::vector<char*> environment_list;
    Pipe output;
    Pipe errors;
    Pipe failure;
  };
  std::vector<One> all;
  std::vector<Image> images;

  explicit Preparation(const Launch& launch) : all(launch.processes.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      One& one = all[i];
      one.command = &launch.processes[i];
      one.arguments = one.command->arguments;
      one.environment = environmentWith(one.command->environment);
      one.argument_list = pointersTo(one.arguments);
      one.environment_list = pointersTo(one.environment);
    }
  }
  ~Preparation() {
    closeWriteEnds();
    for (One& one : all) {
      for (Pipe* pipe : {&one.output, &one.errors, &one.failure}) closeEnd(pipe->read_end);
    }
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  bool openPipes() {
    for (One& one : all) {
      if (!openPipe(one.output) || !openPipe(one.errors) || !openPipe(one.failure)) return false;
      images.push_back({one.argument_list.data(), one.environment_list.data(), one.command->rank < 0,
                        one.output.write_end, one.errors.write_end, one.failure.write_end});
    }
    return true;
  }
  void closeWriteEnds() {
    for (One& one : all) {
      for (Pipe* pipe : {&one.output, &one.errors, &one.failure}) closeEnd(pipe->write_end);
    }
  }
};

Result<ProcessGroup> ProcessGroup::start(const Launch& launch) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  ProcessGroup group;
  Preparation prepared(launch);
  if (const int error = group.begin(prepared, launch.folder); error != 0)
    return startError(launch.processes.front(), error);
  const auto heard = group.hear(prepared);
  fcntl(group.news_, F_SETFL, O_NONBLOCK);
  if (!heard) return heard.error();
  return group;
}

/// Forks the warden. 0 or an errno.
int ProcessGroup::begin(Preparation& prepared, const std::filesystem::path& folder) {
  Pipe life;
  Pipe news;
  const bool is_open = openPipe(life) && openPipe(news) && prepared.openPipes();
  warden_ = is_open ? std::max(0, forkWarden(prepared.images, life.read_end, news.write_end, folder)) : 0;
  const int error = warden_ > 0 ? 0 : errno;
  prepared.closeWriteEnds();
  closeEnd(life.read_end);
  closeEnd(news.write_end);
  life_ = life.write_end;
  news_ = news.read_end;
  return error;
}

/// What became of each process: its pid comes first, then its exec succeeds or does not.
Result<void> ProcessGroup::hear(Preparation& prepared) {
  processes_.reserve(prepared.all.size());
  for (Preparation::One& one : prepared.all) {
    WardenNews started;
    const int lost = readWhole(news_, &started, sizeof(started)) ? 0 : ECHILD;
    const int error = lost != 0 ? lost : execError(one.failure.read_end);
    if (error != 0) return startError(*one.command, error);
    for (const int fd : {one.output.read_end, one.errors.read_end}) fcntl(fd, F_SETFL, O_NONBLOCK);
    const auto stat = processStat(started.pid);
    processes_.push_back({one.command->rank, stat ? stat->id : ProcessId{started.pid, 0},
                          std::exchange(one.output.read_end, -1), std::exchange(one.errors.read_end, -1),
                          std::nullopt});
  }
  return {};
}

ProcessGroup::~ProcessGroup() {
  if (warden_ > 0 || !processes_.empty()) (void)kill();
  dismiss();
  for (StartedProcess& process : processes_) {
    closeEnd(process.output);
    closeEnd(process.errors);
  }
  closeEnd(news_);
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept {
  *this = std::move(other);
}

ProcessGroup& ProcessGroup::operator=(ProcessGroup&& other) noexcept {
  std::swap(processes_, other.processes_);
  std::swap(ended_, other.ended_);
  std::swap(exit_, other.exit_);
  std::swap(warden_, other.warden_);
  std::swap(life_, other.life_);
  std::swap(news_, other.news_);
  return *this;
}

/// Everything below us but the warden.
std::vector<ProcessStat> ProcessGroup::job() const {
  auto all = descendants(getpid());
  std::erase_if(all, [this](const ProcessStat& one) { return one.id.pid == warden_; });
  return all;
}

void ProcessGroup::end(StartedProcess& process, int status, std::vector<StartedProcess>& ended) {
  if (process.exit) return;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  process.exit = ProcessExit{signal != 0 ? 128 + signal : WEXITSTATUS(status), signal};
  if (exit_.code == 0) exit_ = *process.exit;
  ++ended_;
  ended.push_back(process);
}

/// The news come in the order in which processes were started and ended.
void ProcessGroup::readNews(std::vector<StartedProcess>& ended) {
  WardenNews news;
  while (news_ >= 0 && readWhole(news_, &news, sizeof(news))) {
    const auto image = static_cast<std::size_t>(news.image);
    if (news.has_ended != 0 && image < processes_.size()) end(processes_[image], news.status, ended);
  }
}

/// Somebody killed it: its children die of that, and are ours now, but for those that it had collected without having
/// told of it.
void ProcessGroup::wardenIsGone(std::vector<StartedProcess>& ended) {
  readNews(ended);
  closeEnd(news_);
  for (StartedProcess& process : processes_) {
    if (!process.exit && !processStat(process.id.pid)) end(process, SIGKILL, ended);
  }
}

std::vector<StartedProcess> ProcessGroup::collect() {
  std::vector<StartedProcess> ended;
  readNews(ended);
  int status = 0;
  pid_t pid = 0;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    if (pid == warden_) {
      warden_ = 0;
      readNews(ended);
      continue;
    }
    const auto found =
        std::find_if(processes_.begin(), processes_.end(), [pid](const auto& one) { return one.id.pid == pid; });
    if (found != processes_.end()) end(*found, status, ended);
  }
  if (warden_ == 0) wardenIsGone(ended);
  return ended;
}

std::optional<ProcessExit> ProcessGroup::exit() const {
  return ended_ == processes_.size() ? std::optional(exit_) : std::nullopt;
}

void ProcessGroup::pass(int signal) const {
  for (const StartedProcess& process : processes_) {
    if (!process.exit && isAlive(process.id)) ::kill(process.id.pid, signal);
  }
}

void ProcessGroup::terminate() {
  // A launcher forwards it; a stopped process hears nothing but SIGCONT and SIGKILL.
  pass(SIGTERM);
  const bool all_ended = exit().has_value();
  for (const ProcessStat& process : job()) {
    if (all_ended) ::kill(process.id.pid, SIGTERM);
    if (process.state == 'T') ::kill(process.id.pid, SIGCONT);
  }
}

bool ProcessGroup::kill(std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (true) {
    const auto left = job();
    for (const ProcessStat& process : left) ::kill(process.id.pid, SIGKILL);
    (void)collect();
    if (left.empty()) dismiss();
    if (left.empty() || std::chrono::steady_clock::now() > until) return left.empty();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// It goes by itself, and at once when nothing is left of the job, having told of every end. One that does not must not
/// keep us.
void ProcessGroup::dismiss() {
  closeEnd(life_);
  if (warden_ <= 0) return;
  if (!job().empty()) ::kill(warden_, SIGKILL);
  const auto until = std::chrono::steady_clock::now() + kWardenPatience;
  while (waitpid(warden_, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) ::kill(warden_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  warden_ = 0;
  (void)collect();
}

}  // namespace shardlens
