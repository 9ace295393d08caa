// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_process.h"

#include "core/base/phrase.h"
#include "core/collect/run_folder.h"
#include "core/launch/launch_command.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace shardlens {
namespace {

using Processes = std::vector<ProcessId>;

/// What posix_spawn is told; frees what it allocates.
struct SpawnPlan {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};

  SpawnPlan(const std::string& log, const std::string& folder) {
    posix_spawn_file_actions_init(&files);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

void note(Processes& seen, const ProcessId& root) {
  if (!isAlive(root)) return;
  const auto add = [&seen](const ProcessId& process) {
    if (std::ranges::find(seen, process) == seen.end()) seen.push_back(process);
  };
  add(root);
  for (const ProcessStat& child : descendants(root.pid)) add(child.id);
}

bool anyAlive(const Processes& processes) {
  for (const ProcessId& process : processes) {
    if (isAlive(process)) return true;
  }
  return false;
}

void signalAll(const Processes& processes, int signal) {
  for (const ProcessId& process : processes) {
    if (isAlive(process)) kill(process.pid, signal);
  }
}

}  // namespace

Result<std::shared_ptr<JobProcess>> JobProcess::start(const std::vector<std::string>& arguments,
                                                      const std::filesystem::path& log,
                                                      const std::filesystem::path& folder) {
  std::vector<std::string> copy = arguments;
  const std::vector<char*> argv = pointersTo(copy);
  const auto log_file = std::filesystem::absolute(log);
  std::vector<std::string> environment =
      environmentWith({{kFailureVariable, RunFolder{log_file.parent_path()}.failure().string()}});
  const std::vector<char*> variables = pointersTo(environment);
  const SpawnPlan plan(log_file.string(), folder.string());
  pid_t pid = 0;
  const int failure = posix_spawn(&pid, argv[0], &plan.files, &plan.attributes, argv.data(), variables.data());
  if (failure != 0)
    return Error::inFile(
        ErrorCode::Environment, arguments.front(),
        filled(worded("launch", "The program that supervises the job cannot be started: %1."), std::strerror(failure)),
        worded("launch", "install all of ShardLens: the studio needs the program shardlens next to it"));
  const auto stat = processStat(pid);
  return std::shared_ptr<JobProcess>(new JobProcess({pid, stat ? stat->id.start_time : 0}));
}

std::optional<int> JobProcess::exitCode() {
  const MutexLock lock(mutex_);
  int status = 0;
  if (!exit_code_ && waitpid(id_.pid, &status, WNOHANG) == id_.pid)
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return exit_code_;
}

void endJob(ProcessId supervisor, std::chrono::milliseconds patience) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  const auto force_at = Clock::now() + patience;
  Processes seen;
  note(seen, supervisor);
  if (isAlive(supervisor)) sigqueue(supervisor.pid, SIGTERM, sigval{});  // queued: the user's wish, as Signals knows it
  // The supervisor ends its job itself. Its children are remembered, for the case that it dies before them.
  while (anyAlive(seen) && Clock::now() < force_at) {
    note(seen, supervisor);
    std::this_thread::sleep_for(50ms);
  }
  // Counted from here: on a busy machine this thread may have slept through all of its patience.
  const auto give_up_at = Clock::now() + patience;
  while (anyAlive(seen)) {
    signalAll(seen, SIGKILL);
    if (Clock::now() >= give_up_at) return;
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace shardlens
