// SPDX-License-Identifier: Apache-2.0
// What ends a job and what does not: signals, closed terminals and pipes, killed supervisors. Jobs without a launcher.
#include "core/base/text.h"
#include "tests/integration/job.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = test::binDir() + "/shardlens";

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

/// What is left once everything that was told to end had the time that it needs for it.
std::string leftoversOf(const RunningJob& job) {
  (void)eventually([&job] { return job.leftovers().empty(); });
  return job.leftovers();
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

/// A job of this shell script, at a terminal of its own.
class Terminal {
 public:
  Terminal(const TempFolder& folder, const std::string& script, std::pair<unsigned short, unsigned short> size)
      : side_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(side_ >= 0);
    REQUIRE(grantpt(side_) == 0);
    REQUIRE(unlockpt(side_) == 0);
    const winsize window{size.second, size.first, 0, 0};
    REQUIRE(ioctl(side_, TIOCSWINSZ, &window) == 0);
    const std::string name = ptsname(side_);
    const std::string spec = (folder / "spec.yaml").string();
    const std::string run_file = (folder / "run.slrun").string();
    child_ = fork();
    if (child_ != 0) return;
    setsid();
    const int other = open(name.c_str(), O_RDWR);
    ioctl(other, TIOCSCTTY, 0);
    for (const int fd : {0, 1, 2}) dup2(other, fd);
    for (const int number : {SIGINT, SIGQUIT, SIGHUP}) std::signal(number, SIG_DFL);
    execl(kProgram.c_str(), "shardlens", "run", spec.c_str(), "--run-file", run_file.c_str(), "--launcher", "plain",
          "--", "sh", "-c", script.c_str(), nullptr);
    _exit(127);
  }
  ~Terminal() {
    hangUp();
    if (!waited_) kill(child_, SIGKILL);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void readUntil(const std::string& text, std::size_t times = 1) {
    std::array<char, 4096> bytes{};
    while (timesSeen(text) < times) {
      const ssize_t got = read(side_, bytes.data(), bytes.size());
      REQUIRE(got > 0);
      seen_.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }
  void hangUp() {
    if (side_ >= 0) close(side_);
    side_ = -1;
  }
  int wait() {
    std::array<char, 4096> bytes{};
    while (side_ >= 0 && read(side_, bytes.data(), bytes.size()) > 0) {
    }
    int status = 0;
    waited_ = waitpid(child_, &status, 0) == child_;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  [[nodiscard]] const std::string& seen() const { return seen_; }

 private:
  [[nodiscard]] std::size_t timesSeen(const std::string& text) const {
    std::size_t times = 0;
    for (std::size_t at = seen_.find(text); at != std::string::npos; at = seen_.find(text, at + 1)) ++times;
    return times;
  }

  int side_;
  pid_t child_ = -1;
  bool waited_ = false;
  std::string seen_;
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
  // A warden; two ranks, each with two sleeps, of which one is in another session.
  REQUIRE(eventually([&job] { return job.processes().size() >= 7; }));
  job.signal(SIGKILL);
  CHECK(job.wait() == 128 + SIGKILL);
  CHECK(leftoversOf(job) == "");
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
                    signal +
                    " \\$(ps -o ppid= -p \\$PPID) \\$PPID \\$\\$; echo sent; "
                    "until grep -q sent said; do sleep 0.02; done; echo over\" >said");  // the supervisor went on
    CHECK(job.finished.code == 0);
    CHECK(job.status() == "finished");
    CHECK(slurp(job.folder / "said").find("[rank 1] over") != std::string::npos);
  }
}

TEST_CASE("a terminal that is closed ends neither the job nor its recording") {
  const TempFolder folder;
  spill(folder / "spec.yaml", specOf(2, 16));
  const std::string go = (folder / "go").string();
  const std::string wait = "until [ -e '" + go + "'$word ]; do sleep 0.02; done; ";
  Terminal terminal(folder, "for word in ready still over; do " + wait + "echo $word; done", {80, 24});
  spill(go + "ready", "");
  terminal.readUntil("[rank 0] ready");
  terminal.readUntil("[rank 1] ready");
  terminal.hangUp();  // the kernel sends SIGHUP
  spill(go + "still", "");
  const auto isRecorded = [&folder](const std::string& text) {
    bool found = false;
    (void)readRecording(folder / "run.slrun", [&](const Event& event) {
      const auto* line = std::get_if<LogLine>(&event.what);
      found = found || (line != nullptr && line->text == text);
    });
    return found;
  };
  CHECK(eventually([&] { return isRecorded("still"); }));
  spill(go + "over", "");
  CHECK(terminal.wait() == 0);
  CHECK(jsonOf("replay " + (folder / "run.slrun").string()).second.value("status", "") == "finished");
}

TEST_CASE("a narrow and low terminal gets a block that fits, and is not flooded") {
  const TempFolder folder;
  spill(folder / "spec.yaml", specOf(4, 32));
  const std::string go = (folder / "go").string();
  Terminal terminal(
      folder, "echo a line that is longer than the terminal is wide; until [ -e '" + go + "' ]; do sleep 0.02; done",
      {24, 4});
  terminal.readUntil("\x1b[", 12);
  spill(go, "");
  terminal.readUntil("Finished after");
  CHECK(terminal.wait() == 0);
  std::size_t drawn = 0;
  for (std::size_t at = terminal.seen().find("\x1b["); at != std::string::npos;
       at = terminal.seen().find("\x1b[", at + 1)) {
    const int lines = std::atoi(terminal.seen().c_str() + at + 2);  // "up so many lines"
    CHECK(lines <= 3);
    ++drawn;
  }
  CHECK(drawn > 10);
  std::istringstream in(withoutStyles(terminal.seen()));
  for (std::string line; std::getline(in, line) && line.find("Finished after") == std::string::npos;) {
    if (line.find("  step ") != std::string::npos) CHECK(line.size() <= 24 + 1);  // and a carriage return
  }
}

TEST_CASE("a recording that is removed or cannot grow is not called whole, and the job goes on") {
  const Shell removed(
      "$S run spec.yaml --run-file run.slrun --launcher plain -- sh -c \"rm -rf run.slrun; echo over\"");
  CHECK(removed.finished.code == 3);
  CHECK(removed.finished.out.find("[rank 1] over") != std::string::npos);
  CHECK(removed.finished.out.find("Finished after") != std::string::npos);
  CHECK(removed.finished.out.find("The recording run.slrun is incomplete.") != std::string::npos);
  CHECK(removed.finished.out.find("Recorded in") == std::string::npos);
  const Shell limited("ulimit -f 4; $S run spec.yaml --run-file run.slrun --launcher plain -- seq 1 5000");
  CHECK(limited.finished.code == 3);
  CHECK(limited.finished.out.find("[rank 1] 5000\n") != std::string::npos);
  CHECK(limited.finished.out.find("The recording stopped here, because it cannot be written: File too large.") !=
        std::string::npos);
  const Shell failed(
      "ulimit -f 4; $S run spec.yaml --run-file run.slrun --launcher plain -- sh -c \"seq 1 5000; exit 9\"");
  CHECK(failed.finished.code == 4);
}

TEST_CASE("a launcher that does nothing and says that all is well has not finished the job") {
  const TempFolder folder;
  spill(folder / "mpirun", "#!/bin/sh\nexit 0\n");
  fs::permissions(folder / "mpirun", fs::perms::owner_all);
  RunningJob job(specOf(2, 16), {}, folder.path().string() + ":/usr/bin:/bin");
  CHECK(job.wait() == 4);
  CHECK(job.output().find("ended with code 0, but none of its 2 ranks ever reported anything.") != std::string::npos);
}
