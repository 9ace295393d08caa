// SPDX-License-Identifier: Apache-2.0
#include "core/launch/process_group.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

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

/// The environment of the child: ours with the command's variables in place of ours.
std::vector<std::string> environmentOf(const LaunchCommand& command) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    bool is_replaced = false;
    for (const auto& [key, value] : command.environment) is_replaced = is_replaced || key == name;
    if (!is_replaced) all.push_back(text);
  }
  for (const auto& [key, value] : command.environment) all.push_back(std::string(key).append("=").append(value));
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What a started process becomes.
struct Image {
  char** arguments = nullptr;
  char** environment = nullptr;
  int signal = SIGTERM;  ///< that it gets when we die
};

/// Between fork and exec: nothing but system calls.
[[noreturn]] void become(const Image& image, pid_t parent, int out, int err, int failure) {
  setsid();
  prctl(PR_SET_PDEATHSIG, image.signal);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  execve(image.arguments[0], image.arguments, image.environment);
  const int error = errno;
  (void)!write(failure, &error, sizeof(error));
  _exit(127);
}

Error startError(const LaunchCommand& command, int error) {
  return Error{ErrorCode::Environment,
               command.arguments.front() + " cannot be started: " + std::strerror(error) + ".",
               {},
               "check that the program exists and may be executed"};
}

/// Waits until the exec has happened (the pipe closes) or failed (its errno comes).
int execError(int failure) {
  int error = 0;
  ssize_t got = 0;
  do got = read(failure, &error, sizeof(error));
  while (got < 0 && errno == EINTR);
  return got == sizeof(error) ? error : 0;
}

}  // namespace

Result<ProcessGroup> ProcessGroup::start(const Launch& launch) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  ProcessGroup group;
  group.processes_.reserve(launch.processes.size());
  for (const LaunchCommand& command : launch.processes) {
    if (auto added = group.add(command); !added) return added.error();
  }
  return group;
}

Result<void> ProcessGroup::add(const LaunchCommand& command) {
  Pipe out;
  Pipe err;
  Pipe failure;
  const bool is_open = openPipe(out) && openPipe(err) && openPipe(failure);
  const int pipe_error = is_open ? 0 : errno;
  auto arguments = command.arguments;
  auto environment = environmentOf(command);
  const auto argument_list = pointersTo(arguments);
  const auto environment_list = pointersTo(environment);
  const Image image{const_cast<char**>(argument_list.data()), const_cast<char**>(environment_list.data()),
                    command.rank < 0 ? SIGTERM : SIGKILL};
  const pid_t parent = getpid();
  const pid_t child = is_open ? fork() : -1;
  if (child == 0) become(image, parent, out.write_end, err.write_end, failure.write_end);
  const int fork_error = is_open && child < 0 ? errno : pipe_error;
  for (Pipe* one : {&out, &err, &failure}) closeEnd(one->write_end);
  const int error = fork_error != 0 ? fork_error : execError(failure.read_end);
  closeEnd(failure.read_end);
  if (error != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    for (Pipe* one : {&out, &err}) closeEnd(one->read_end);
    return startError(command, error);
  }
  for (const int fd : {out.read_end, err.read_end}) fcntl(fd, F_SETFL, O_NONBLOCK);
  const auto stat = processStat(child);
  processes_.push_back({command.rank, stat ? stat->id : ProcessId{child, 0}, out.read_end, err.read_end, std::nullopt});
  return {};
}

ProcessGroup::~ProcessGroup() {
  if (!processes_.empty()) (void)kill();
  for (StartedProcess& process : processes_) {
    closeEnd(process.output);
    closeEnd(process.errors);
  }
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept {
  *this = std::move(other);
}

ProcessGroup& ProcessGroup::operator=(ProcessGroup&& other) noexcept {
  std::swap(processes_, other.processes_);
  std::swap(ended_, other.ended_);
  std::swap(exit_, other.exit_);
  return *this;
}

std::vector<StartedProcess> ProcessGroup::collect() {
  std::vector<StartedProcess> ended;
  int status = 0;
  pid_t pid = 0;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    const auto found = std::find_if(processes_.begin(), processes_.end(),
                                    [pid](const StartedProcess& one) { return one.id.pid == pid && !one.exit; });
    if (found == processes_.end()) continue;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    found->exit = ProcessExit{signal != 0 ? 128 + signal : WEXITSTATUS(status), signal};
    if (exit_.code == 0) exit_ = *found->exit;
    ++ended_;
    ended.push_back(*found);
  }
  return ended;
}

std::optional<ProcessExit> ProcessGroup::exit() const {
  return ended_ == processes_.size() ? std::optional(exit_) : std::nullopt;
}

void ProcessGroup::terminate() {
  // A launcher forwards it; a stopped process hears nothing but SIGCONT and SIGKILL.
  for (const StartedProcess& process : processes_) {
    if (!process.exit) ::kill(process.id.pid, SIGTERM);
  }
  const bool all_ended = exit().has_value();
  for (const ProcessStat& process : descendants(getpid())) {
    if (all_ended) ::kill(process.id.pid, SIGTERM);
    if (process.state == 'T') ::kill(process.id.pid, SIGCONT);
  }
}

bool ProcessGroup::kill(std::chrono::milliseconds most) {
  const auto until = std::chrono::steady_clock::now() + most;
  while (true) {
    const auto left = descendants(getpid());
    for (const ProcessStat& process : left) ::kill(process.id.pid, SIGKILL);
    (void)collect();
    if (left.empty() || std::chrono::steady_clock::now() > until) return left.empty();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace shardlens
