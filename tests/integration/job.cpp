// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/job.h"

#include "core/launch/launch_command.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace shardlens::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Only to end a test that would never end; nothing is measured by it.
constexpr std::chrono::seconds kPatience{300};
const std::string kProgram = test::binDir() + "/shardlens";

void rest() {
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

int openFor(const fs::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

}  // namespace

bool hasMpirun() {
  const bool is_there = findProgram("mpirun").has_value();
  if (!is_there) MESSAGE("SKIPPED: there is no mpirun on this machine");
  return is_there;
}

bool eventually(const std::function<bool()>& is_true) {
  const auto until = Clock::now() + kPatience;
  while (!is_true()) {
    if (Clock::now() > until) return false;
    rest();
  }
  return true;
}

std::string specOf(int ranks, int samples, const std::string& run) {
  return "shardlens: 2\nname: job\ndataset: {size: " + std::to_string(samples) +
         "}\nworld: {nodes: 1, ranks_per_node: " + std::to_string(ranks) +
         "}\nloader: {batch_size: 2}\nsampler: {type: torch.DistributedSampler, shuffle: true, seed: 0}\nepochs: 2\n"
         "run: {" +
         run + "}\n";
}

std::vector<std::string> inGroups(int groups) {
  return {"--launcher",
          "mpirun",
          "--",
          "sh",
          "-c",
          "exec '" + test::binDir() + "/mpi_rank' --spec \"$SHARDLENS_JOB_DIR/spec.yaml\" --groups " +
              std::to_string(groups)};
}

RunningJob::RunningJob(const std::string& spec, std::vector<std::string> arguments, const std::string& path) {
  spill(folder_ / "spec.yaml", spec);
  std::vector<std::string> words = {kProgram, "run", specFile(), "--run-file", runFile()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int out = openFor(folder_ / "stdout");
  const int err = openFor(folder_ / "stderr");
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    // Whoever runs the tests may be ignoring them (a job in the background of a script).
    for (const int number : {SIGINT, SIGQUIT, SIGHUP}) std::signal(number, SIG_DFL);
    if (!path.empty()) setenv("PATH", path.c_str(), 1);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  close(out);
  close(err);
}

RunningJob::~RunningJob() {
  if (code_) return;
  for (const ProcessStat& process : descendants(pid_)) kill(process.id.pid, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

RunState RunningJob::await(const std::function<bool(const RunState&)>& is_there) {
  RunState state;
  const auto look = [&] {
    if (!reader_) {
      auto opened = RecordingReader::open(runFile());
      if (!opened) return false;
      reader_.emplace(std::move(*opened));
    }
    for (const Event& event : reader_->readMore()) {
      if (const auto* begin = std::get_if<RunBegin>(&event.what)) job_id_ = begin->job_id;
      reducer_.apply(event);
    }
    state = reducer_.snapshot();
    return is_there(state) || reader_->ended();
  };
  if (!eventually(look)) FAIL("the job did not come to the awaited state");
  return state;
}

int RunningJob::wait() {
  const auto look = [this] {
    int status = 0;
    if (!code_ && waitpid(pid_, &status, WNOHANG) == pid_)
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_.has_value();
  };
  if (!eventually(look)) FAIL("the job did not end");
  // A job that was refused has no run file.
  if (std::filesystem::exists(runFile())) (void)await([](const RunState&) { return true; });
  return *code_;
}

void RunningJob::signal(int number) const {
  kill(pid_, number);
}

std::vector<ProcessStat> RunningJob::processes() {
  auto all = descendants(pid_);
  for (const ProcessStat& process : all) seen_.push_back(process.id);
  return all;
}

bool RunningJob::isFolder(const fs::path& path) const {
  return !job_id_.empty() && path.filename().string().find(job_id_) != std::string::npos;
}

std::string RunningJob::leftovers() const {
  std::string left;
  for (const ProcessId& process : seen_) {
    if (isAlive(process)) left += "process " + std::to_string(process.pid) + "\n";
  }
  for (const auto& entry : fs::directory_iterator("/dev/shm")) {
    if (isFolder(entry.path())) left += entry.path().string() + "\n";
  }
  return left;
}

std::pair<int, nlohmann::json> jsonOf(const std::string& line) {
  const Finished finished = runShell(kProgram + " " + line + " --format json");
  return {finished.code, nlohmann::json::parse(finished.out, nullptr, false)};
}

}  // namespace shardlens::test
