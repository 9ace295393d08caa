// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include "core/launch/process_group.h"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace shardlens;

namespace {

Launch shell(const std::string& script) {
  return {{{{"/bin/sh", "-c", script}, {{"SL_TEST", "a value"}}, -1}}, {}};
}

/// Everything the job printed until it closed its output.
std::string outputOf(const ProcessGroup& group) {
  std::string text;
  std::array<char, 256> bytes{};
  for (ssize_t got = -1; got != 0;) {
    got = read(group.processes().front().output, bytes.data(), bytes.size());
    if (got > 0) text.append(bytes.data(), static_cast<std::size_t>(got));
    if (got < 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return text;
}

int codeOf(ProcessGroup& group) {
  while (true) {
    (void)group.collect();
    if (const auto exit = group.exit()) return exit->code;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

TEST_CASE("a process is known by its pid and start time") {
  const ProcessId self = thisProcess();
  CHECK(self.pid == getpid());
  CHECK(isAlive(self));
  CHECK_FALSE(isAlive({self.pid, self.start_time + 1}));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const auto zombie = processStat(child);
  REQUIRE(zombie);
  CHECK(zombie->state == 'Z');
  CHECK_FALSE(isAlive(zombie->id));
  waitpid(child, nullptr, 0);
  CHECK_FALSE(processStat(child));
  CHECK(usableCores() >= 1);
}

TEST_CASE("the launcher's output, environment and exit code come back") {
  auto group = ProcessGroup::start(shell("echo \"$SL_TEST\"; exit 7"));
  REQUIRE(group);
  CHECK(outputOf(*group) == "a value\n");
  CHECK(codeOf(*group) == 7);
  auto killed = ProcessGroup::start(shell("kill -9 $$"));
  REQUIRE(killed);
  CHECK(codeOf(*killed) == 137);
}

TEST_CASE("what cannot be executed is an error of this machine") {
  const auto group = ProcessGroup::start({{{{"/no/such/program"}, {}, -1}}, {}});
  REQUIRE_FALSE(group);
  CHECK(group.error().code == ErrorCode::Environment);
}

TEST_CASE("kill reaches grandchildren, stopped ones, and those with a session of their own") {
  auto group =
      ProcessGroup::start(shell("setsid sh -c 'sleep 1000 & sleep 1000' & sleep 1000 & kill -STOP $!; (sleep 1000 &) ; "
                                "echo ready; exec >&-; sleep 1000"));
  REQUIRE(group);
  std::string text;
  std::array<char, 64> bytes{};
  while (text.find("ready") == std::string::npos) {
    const ssize_t got = read(group->processes().front().output, bytes.data(), bytes.size());
    if (got > 0) text.append(bytes.data(), static_cast<std::size_t>(got));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  while (descendants(getpid()).size() < 6) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto before = descendants(getpid());
  CHECK(group->kill());
  for (const ProcessStat& process : before) CHECK_FALSE(isAlive(process.id));
  CHECK(descendants(getpid()).empty());
}

TEST_CASE("when the warden is killed the job dies with it, and what is left of it comes to us") {
  auto group = ProcessGroup::start({{{{"/bin/sh", "-c", "sleep 1000 & echo ready; wait"}, {}, 0}}, {}});
  REQUIRE(group);
  std::array<char, 64> bytes{};
  while (read(group->processes().front().output, bytes.data(), bytes.size()) <= 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const auto before = descendants(getpid());
  REQUIRE(before.size() == 3);  // the warden, the shell, its sleep
  CHECK(before.front().id != group->processes().front().id);
  kill(before.front().id.pid, SIGKILL);
  CHECK(codeOf(*group) == 128 + SIGKILL);
  CHECK(group->kill());
  CHECK(descendants(getpid()).empty());
}

TEST_CASE("terminate lets the job end by itself") {
  auto group = ProcessGroup::start(shell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done"));
  REQUIRE(group);
  std::array<char, 64> bytes{};
  while (read(group->processes().front().output, bytes.data(), bytes.size()) <= 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  group->terminate();
  CHECK(codeOf(*group) == 5);
}
