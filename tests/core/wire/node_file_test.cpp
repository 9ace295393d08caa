// SPDX-License-Identifier: Apache-2.0
#include "core/wire/node_file.h"

#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace shardlens::test;
namespace fs = std::filesystem;

namespace {

void leave(const fs::path& path) {
  std::ofstream(path).flush();
}

std::string member(long pid, std::uint64_t start_time) {
  return "member-" + std::to_string(pid) + "-" + std::to_string(start_time);
}

}  // namespace

TEST_CASE("only processes that live are members, each by its number and its beginning") {
  const TempFolder folder;
  const std::string path = folder.path().string();
  const std::uint64_t own = sl_own_start_time();
  CHECK(sl_start_time_of(getpid()) == own);
  CHECK_FALSE(sl_node_look((path + "/absent").c_str()).is_there);
  CHECK(sl_node_look(path.c_str()).living == 0);
  leave(folder / member(getpid(), own + 1));  // one that had our number before
  leave(folder / member(1L << 30, own));
  leave(folder / "member-x");
  leave(folder / "rank-0.ring");
  CHECK(sl_node_look(path.c_str()).living == 0);
  leave(folder / member(getpid(), own));
  leave(folder / member(getppid(), sl_start_time_of(getppid())));
  leave(folder / "world-1f");
  const sl_node_start start = sl_node_look(path.c_str());
  CHECK(start.is_there == 1);
  CHECK(start.living == 2);
  CHECK(start.is_mine == 1);
  CHECK(start.world == 0x1f);
}

TEST_CASE("a process that has ended is none, although nobody has asked how") {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(sl_start_time_of(child) == 0);
  CHECK(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("one at a time has the lock, and only of a folder that is ours alone") {
  const TempFolder folder;
  const std::string node = (folder / "node").string();
  CHECK(sl_node_lock(node.c_str(), 0) < 0);
  const int lock = sl_node_lock(node.c_str(), 1);
  REQUIRE(lock >= 0);
  CHECK((fs::status(node).permissions() & fs::perms::mask) == fs::perms::owner_all);
  // Another description of the same folder does not get it, and a forked child that keeps ours open does not keep it.
  const int other = open(node.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  CHECK(flock(other, LOCK_EX | LOCK_NB) != 0);
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  sl_node_unlock(lock);
  CHECK(flock(other, LOCK_EX | LOCK_NB) == 0);
  close(other);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  fs::permissions(node, fs::perms::others_read, fs::perm_options::add);
  CHECK(sl_node_lock(node.c_str(), 1) < 0);
  fs::remove(node);
  fs::create_directory_symlink(folder.path(), node);
  CHECK(sl_node_lock(node.c_str(), 1) < 0);
}

TEST_CASE("an agent keeps its start") {
  const TempFolder folder;
  const std::string path = folder.path().string();
  const int first = sl_node_agent_lock(path.c_str());
  REQUIRE(first >= 0);
  CHECK(sl_node_agent_lock(path.c_str()) < 0);
  sl_node_unlock(first);
  const int second = sl_node_agent_lock(path.c_str());
  CHECK(second >= 0);
  sl_node_unlock(second);
  CHECK(sl_node_agent_lock((path + "/absent").c_str()) < 0);
}
