// SPDX-License-Identifier: Apache-2.0
#include "core/launch/job_dir.h"

#include "core/base/process.h"

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

/// A folder beside those of jobs, whose owner is said to be this line of "pid start".
fs::path folderOf(const JobDir& beside, const std::string& id, const std::string& owner) {
  const std::string path = beside.path().string();
  const fs::path folder = path.substr(0, path.size() - beside.id().size()) + id;
  fs::create_directory(folder);
  if (!owner.empty()) std::ofstream(folder / "owner") << owner << "\n";
  return folder;
}

}  // namespace

TEST_CASE("a job's folder is private, goes away, and clears up after owners that died") {
  fs::path path;
  fs::path abandoned;
  {
    const auto dir = JobDir::make();
    REQUIRE(dir);
    path = dir->path();
    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    CHECK(dir->id().size() == 8);
    CHECK(JobDir::make()->id() != dir->id());
    abandoned = path.string().substr(0, path.string().size() - 8) + "00000000";
    fs::create_directory(abandoned);
    std::ofstream(abandoned / "owner") << getpid() << " 1\n";
    const auto other = JobDir::make();
    CHECK(fs::exists(path));
    CHECK_FALSE(fs::exists(abandoned));
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a folder whose owner could not write who it is goes once nobody has used it for a while") {
  const auto dir = JobDir::make();
  REQUIRE(dir);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::minutes(1);
  const auto make = [&](const char* id, const std::string& member) {
    const fs::path node = folderOf(*dir, id, "");
    fs::create_directory(node / "1");
    for (const fs::path& file : {node / "owner", node / "1" / member}) std::ofstream(file) << "";
    for (const fs::path& path : {node / "owner", node / "1", node}) fs::last_write_time(path, long_ago);
    return node;
  };
  const fs::path left = make("00000003", "member-" + std::to_string(getpid()) + "-1");
  const fs::path used =
      make("00000004", "member-" + std::to_string(getpid()) + "-" + std::to_string(thisProcess().start_time));
  const fs::path fresh = make("00000005", "agent");
  fs::last_write_time(fresh / "1", fs::file_time_type::clock::now());
  JobDir::removeAbandoned();
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(used));
  CHECK(fs::exists(fresh));
  fs::remove_all(used);
  fs::remove_all(fresh);
}

TEST_CASE("a folder whose owner lives or is not known is left alone") {
  const auto dir = JobDir::make();
  REQUIRE(dir);
  const fs::path nameless = folderOf(*dir, "00000001", "");
  const fs::path garbled = folderOf(*dir, "00000002", "nobody");
  const auto other = JobDir::make();
  CHECK(fs::exists(dir->path()));
  CHECK(fs::exists(nameless));
  CHECK(fs::exists(garbled));
  fs::remove_all(nameless);
  fs::remove_all(garbled);
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
