// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <sched.h>
#include <unistd.h>

namespace shardlens {
namespace {

/// The text of a small /proc file; empty when it is not there.
std::string procText(const std::string& path) {
  std::array<char, 1024> text{};
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t length = read(fd, text.data(), text.size());
  close(fd);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string();
}

std::vector<ProcessStat> everyProcess() {
  std::vector<ProcessStat> all;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) return all;
  while (const dirent* entry = readdir(proc)) {  // NOLINT(concurrency-mt-unsafe): each call has its own DIR
    const int pid = std::atoi(entry->d_name);
    if (pid <= 0) continue;
    if (const auto stat = processStat(pid)) all.push_back(*stat);
  }
  closedir(proc);
  return all;
}

}  // namespace

std::optional<ProcessStat> processStat(pid_t pid) {
  const std::string text = procText("/proc/" + std::to_string(pid) + "/stat");
  // The name in parentheses may itself hold spaces and parentheses: the fields begin after the last one.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  ProcessStat stat;
  stat.id.pid = pid;
  unsigned long long start = 0;
  const int fields = std::sscanf(text.c_str() + name_end + 1,
                                 " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                                 &stat.state, &stat.parent, &start);
  if (fields != 3) return std::nullopt;
  stat.id.start_time = start;
  return stat;
}

ProcessId thisProcess() {
  const auto stat = processStat(getpid());
  return stat ? stat->id : ProcessId{getpid(), 0};
}

bool isAlive(const ProcessId& process) {
  const auto stat = processStat(process.pid);
  return stat && stat->id == process && stat->state != 'Z' && stat->state != 'X';
}

std::vector<ProcessStat> descendants(pid_t root) {
  std::multimap<pid_t, ProcessStat> children;
  for (const ProcessStat& stat : everyProcess()) children.emplace(stat.parent, stat);
  std::vector<ProcessStat> found;
  std::vector<pid_t> open_parents = {root};
  while (!open_parents.empty()) {
    const pid_t parent = open_parents.back();
    open_parents.pop_back();
    const auto [first, last] = children.equal_range(parent);
    for (auto child = first; child != last; ++child) {
      if (child->second.state == 'Z' || child->second.state == 'X') continue;
      found.push_back(child->second);
      open_parents.push_back(child->second.id.pid);
    }
  }
  return found;
}

std::string signalName(int signal) {
  const std::string number = "signal " + std::to_string(signal);
  const char* const name = sigabbrev_np(signal);
  return name == nullptr ? number : number + " (SIG" + name + ")";
}

void fillStandardStreams() {
  int fd = 0;
  // A closed stdout must not swallow an answer: a write to it keeps failing.
  for (int flags = O_RDONLY; (fd = open("/dev/null", flags)) >= 0 && fd <= STDERR_FILENO;)
    flags = fd == STDOUT_FILENO ? O_RDWR : O_RDONLY;
  if (fd > STDERR_FILENO) close(fd);
}

std::int64_t usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return sysconf(_SC_NPROCESSORS_ONLN);
}

}  // namespace shardlens
