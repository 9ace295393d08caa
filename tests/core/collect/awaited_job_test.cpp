// SPDX-License-Identifier: Apache-2.0
#include "core/collect/awaited_job.h"

#include "core/collect/run_folder.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <pwd.h>
#include <string>
#include <unistd.h>

using namespace shardlens;
using namespace shardlens::test;
namespace fs = std::filesystem;

namespace {

/// Another value of a variable of the environment, or none, for a while.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("without HOME, runs are kept in the home of the account") {
  const Variable runs("SHARDLENS_RUNS", nullptr);
  const Variable data("XDG_DATA_HOME", nullptr);
  const passwd* const account = getpwuid(getuid());  // in a container there may be none
  const fs::path home = account != nullptr ? account->pw_dir : "/";
  for (const char* const said : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Variable set("HOME", said);
    CHECK(runsRoot() == home / ".local/share/shardlens-studio/runs");
  }
  const Variable set("HOME", "/somewhere");
  CHECK(runsRoot() == "/somewhere/.local/share/shardlens-studio/runs");
}

TEST_CASE("where runs cannot be kept, the folder is named") {
  const TempFolder folder;
  spill(folder / "file", "x");
  const auto made = makeRunFolder(folder / "file/runs", "job");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::Environment);
  CHECK(made.error().place.file.starts_with((folder / "file/runs").string()));
}

TEST_CASE("what a host said of a job that it could not record is a sentence") {
  const TempFolder folder;
  CHECK_FALSE(failureToRecord(folder.path()));
  spill(folder / "node-1.example.failed", "The disk is full.");
  CHECK(failureToRecord(folder.path())
            ->starts_with("A job began on node-1.example and could not be recorded. The disk is full. "));
}
