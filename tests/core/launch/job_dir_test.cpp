// SPDX-License-Identifier: Apache-2.0
#include "core/launch/job_dir.h"

#include <doctest/doctest.h>

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
