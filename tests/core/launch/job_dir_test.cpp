// SPDX-License-Identifier: Apache-2.0
#include "core/launch/job_dir.h"

#include "core/base/process.h"
#include "core/wire/node_file.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

/// Its owner is said to be this line of "pid start". If that has ended, any job that begins may remove the folder.
void setOwner(const JobDir& dir, const std::string& owner) {
  std::ofstream(dir.path() / "owner") << owner;
}

/// A folder of a job, of a name that nobody else has.
JobDir ownedBy(const std::string& owner) {
  auto made = JobDir::make();
  REQUIRE(made);
  setOwner(*made, owner);
  return *std::move(made);
}

}  // namespace

TEST_CASE("a job's folder is private, goes away, and clears up after owners that died") {
  fs::path path;
  {
    const auto dir = JobDir::make();
    REQUIRE(dir);
    path = dir->path();
    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    CHECK(dir->id().size() == 8);
    CHECK(JobDir::make()->id() != dir->id());
    const JobDir abandoned = ownedBy(std::to_string(getpid()) + " 1\n");
    const auto other = JobDir::make();
    CHECK(fs::exists(path));
    CHECK_FALSE(fs::exists(abandoned.path()));
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a folder whose owner could not write who it is goes once nobody has used it for a while") {
  const auto make = [](const std::string& member, fs::file_time_type written) {
    JobDir node = ownedBy("");
    fs::create_directory(node.path() / "1");
    std::ofstream(node.path() / "1" / member) << "";
    for (const fs::path& path : {node.path() / "1", node.path() / "owner", node.path()})
      fs::last_write_time(path, written);
    return node;
  };
  const auto now = fs::file_time_type::clock::now();
  const std::string self = "member-" + std::to_string(getpid()) + "-";
  const JobDir left = make(self + "1", now - std::chrono::minutes(1));
  const JobDir used = make(self + std::to_string(thisProcess().start_time), now - std::chrono::minutes(1));
  const JobDir fresh = make("agent", now + std::chrono::minutes(1));
  JobDir::removeAbandoned();
  CHECK_FALSE(fs::exists(left.path()));
  CHECK(fs::exists(used.path()));
  CHECK(fs::exists(fresh.path()));
}

TEST_CASE("a node whose owner has ended stays while an agent or a rank of any start lives") {
  const auto make = [](const std::string& file) {
    auto node = JobDir::make();
    REQUIRE(node);
    fs::create_directory(node->path() / "2");
    std::ofstream(node->path() / "2" / file) << "";
    return *std::move(node);
  };
  const std::string self = "member-" + std::to_string(getpid()) + "-";
  const JobDir left = make(self + "1");
  const JobDir used = make(self + std::to_string(thisProcess().start_time));
  const JobDir read = make("agent");
  const int lock = sl_node_agent_lock((read.path() / "2").c_str());
  for (const JobDir* const node : {&left, &used, &read}) setOwner(*node, std::to_string(getpid()) + " 1\n");
  JobDir::removeAbandoned();
  sl_node_unlock(lock);
  CHECK_FALSE(fs::exists(left.path()));
  CHECK(fs::exists(used.path()));
  CHECK(fs::exists(read.path()));
  JobDir::removeAbandoned();
  CHECK_FALSE(fs::exists(read.path()));
}

TEST_CASE("a folder whose owner lives or is not known is left alone") {
  const auto dir = JobDir::make();
  REQUIRE(dir);
  const JobDir nameless = ownedBy("");
  fs::remove(nameless.path() / "owner");
  const JobDir garbled = ownedBy("nobody\n");
  const auto other = JobDir::make();
  CHECK(fs::exists(dir->path()));
  CHECK(fs::exists(nameless.path()));
  CHECK(fs::exists(garbled.path()));
}

TEST_CASE("a folder goes with the last object that holds it, with all that is in it") {
  auto made = JobDir::make();
  REQUIRE(made);
  const fs::path path = made->path();
  std::ofstream(path / "rank-0.ring") << "x";
  {
    const JobDir moved = std::move(*made);
    CHECK(moved.path() == path);
    CHECK(fs::exists(path));
  }
  CHECK_FALSE(fs::exists(path));
}
