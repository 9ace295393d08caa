// SPDX-License-Identifier: Apache-2.0
// What ends a job and what does not: signals, closed terminals and pipes, killed supervisors. Jobs without a launcher.
#include "tests/integration/job.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = SHARDLENS_BIN_DIR "/shardlens";

/// A job of two ranks that are this shell script.
std::vector<std::string> ranks(const std::string& script) {
  return {"--launcher", "plain", "--grace", "1", "--", "sh", "-c", script};
}

bool hasPrinted(const RunState& state, const std::string& text, std::size_t times) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < state.log.size(); ++i) found += state.log[i].text == text ? 1 : 0;
  return found >= times;
}

RunState awaitLine(RunningJob& job, const std::string& text, std::size_t times = 2) {
  return job.await([&](const RunState& state) { return hasPrinted(state, text, times); });
}

/// Gives processes that were told to end the time that they need for it.
bool isLeft(const RunningJob& job) {
  for (int i = 0; i < 3000 && job.leftovers().find("process") != std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return job.leftovers().find("process") != std::string::npos;
}

/// A line of bash in a new folder that holds spec.yaml; $S is the program.
struct Shell {
  TempFolder folder;
  Finished finished;

  explicit Shell(const std::string& line) {
    spill(folder / "spec.yaml", specOf(2, 16));
    finished = runShell("cd '" + folder.path().string() + "' && S='" + kProgram + "' bash -c '" + line + "' 2>&1");
  }
  [[nodiscard]] std::string status() const {
    return jsonOf("replay " + (folder / "run.slrun").string()).second.value("status", "no recording");
  }
};

}  // namespace

TEST_CASE("SIGUSR1 and SIGUSR2 are for the job, and it goes on") {
  RunningJob job(specOf(2, 16), ranks("trap 'echo one' USR1; trap 'echo two' USR2; echo ready; "
                                      "until [ -e \"$SHARDLENS_JOB_DIR/go\" ]; do sleep 0.02; done; echo over"));
  (void)awaitLine(job, "ready");
  job.signal(SIGUSR1);
  (void)awaitLine(job, "one");
  job.signal(SIGUSR2);
  (void)awaitLine(job, "two");
  for (const auto& entry : fs::directory_iterator("/dev/shm")) {
    if (job.isFolder(entry.path())) spill(entry.path() / "go", "");
  }
  CHECK(job.wait() == 0);
  CHECK(job.output().find("[rank 1] over") != std::string::npos);
  CHECK(job.errors().find("Passed signal 10 (SIGUSR1) on to the job.") != std::string::npos);
}

TEST_CASE("SIGQUIT asks to stop, as SIGINT does, and a broken pipe asks for nothing") {
  RunningJob job(specOf(2, 16), ranks("echo ready; sleep 1000 & wait"));
  (void)awaitLine(job, "ready");
  job.processes();
  job.signal(SIGPIPE);
  job.signal(SIGQUIT);
  CHECK(job.wait() == 4);
  CHECK(job.leftovers() == "");
  CHECK(job.output().find("The user stopped the job.") != std::string::npos);
}

TEST_CASE("a killed supervisor takes everything along that descends from its job") {
  RunningJob job(specOf(2, 16), ranks("trap '' TERM; (setsid sh -c 'trap \"\" TERM HUP; echo below; sleep 1000' &); "
                                      "echo ready; sleep 1000 & wait"));
  (void)awaitLine(job, "ready");
  (void)awaitLine(job, "below");
  REQUIRE(job.processes().size() >= 7);  // a warden; two ranks, each with two sleeps and a shell in another session
  job.signal(SIGKILL);
  CHECK(job.wait() == 128 + SIGKILL);
  CHECK_FALSE(isLeft(job));
}

TEST_CASE("who reads the output may go: neither the job nor its recording ends") {
  const Shell head(
      "$S run spec.yaml --run-file run.slrun --launcher plain -- "
      "sh -c \"for i in 1 2 3 4 5 6; do echo line; sleep 0.1; done\" | head -1; exit ${PIPESTATUS[0]}");
  CHECK(head.finished.code == 0);
  CHECK(head.status() == "finished");
  const Shell errors(
      "$S run spec.yaml --run-file run.slrun --launcher plain -- "
      "sh -c \"for i in 1 2 3 4 5 6; do echo line >&2; sleep 0.1; done\" 2>&1 >/dev/null | head -1; "
      "exit ${PIPESTATUS[0]}");
  CHECK(errors.finished.code == 0);
  CHECK(errors.status() == "finished");
  const Shell full("$S run spec.yaml --run-file run.slrun --launcher plain -- echo hello >/dev/full 2>/dev/full");
  CHECK(full.finished.code == 0);
  CHECK(full.status() == "finished");
}

TEST_CASE("an output that nobody reads holds up neither the job nor its recording") {
  // 12 MB for a pipe that takes 64 kB: the reader waits until the recording has its end.
  const Shell job(
      "$S run spec.yaml --run-file run.slrun --launcher plain -- "
      "sh -c \"head -c 6000000 /dev/zero | tr \\\\\\\\0 x | fold -w 100; echo end\" | "
      "(until $S replay run.slrun 2>/dev/null | grep -q Finished; do sleep 0.1; done; cat)");
  CHECK(job.finished.code == 0);
  CHECK(job.status() == "finished");
  CHECK(job.finished.out.find("not shown: this output is read too slowly") != std::string::npos);
  CHECK(job.finished.out.find("Finished after") != std::string::npos);
}

TEST_CASE("SIGINT and SIGHUP that were set to be ignored are ignored by the supervisor and by the job") {
  for (const std::string signal : {"INT", "HUP"}) {
    CAPTURE(signal);
    const Shell job("trap \"\" " + signal +
                    "; $S run spec.yaml --run-file run.slrun --launcher plain -- "
                    "sh -c \"kill -" +
                    signal + " \\$(ps -o ppid= -p \\$PPID) \\$PPID \\$\\$; sleep 0.5; echo over\"");
    CHECK(job.finished.code == 0);
    CHECK(job.status() == "finished");
    CHECK(job.finished.out.find("[rank 1] over") != std::string::npos);
  }
}

TEST_CASE("a terminal that is closed ends neither the job nor its recording") {
  const TempFolder folder;
  spill(folder / "spec.yaml", specOf(2, 16));
  const std::string go = (folder / "go").string();
  const std::string script = "echo ready; until [ -e '" + go + "' ]; do sleep 0.02; done; echo over";
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const std::string name = ptsname(terminal);
  const std::string spec = (folder / "spec.yaml").string();
  const std::string run_file = (folder / "run.slrun").string();
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    const int side = open(name.c_str(), O_RDWR);
    ioctl(side, TIOCSCTTY, 0);
    for (const int fd : {0, 1, 2}) dup2(side, fd);
    for (const int number : {SIGINT, SIGHUP}) std::signal(number, SIG_DFL);
    execl(kProgram.c_str(), "shardlens", "run", spec.c_str(), "--run-file", run_file.c_str(), "--launcher", "plain",
          "--", "sh", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  std::string seen;
  char bytes[4096];
  while (seen.find("[rank 0] ready") == std::string::npos || seen.find("[rank 1] ready") == std::string::npos) {
    const ssize_t got = read(terminal, bytes, sizeof(bytes));
    REQUIRE(got > 0);
    seen.append(bytes, static_cast<std::size_t>(got));
  }
  close(terminal);                                              // the kernel sends SIGHUP
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // that it can end, should it do so
  spill(go, "");
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(jsonOf("replay " + run_file).second.value("status", "") == "finished");
}
