// SPDX-License-Identifier: Apache-2.0
#include "core/yaml/spec_file.h"

#include "core/yaml/spec_writer.h"
#include "tests/core/yaml/samplers.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sys/stat.h>

using namespace shardlens;
using test::samplers;
using test::slurp;
using test::spill;
using test::TempFolder;
using yaml::SaveManner;
namespace fs = std::filesystem;

namespace {

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

PipelineSpec withEpochs(std::int64_t epochs) {
  PipelineSpec spec;
  spec.epochs = epochs;
  return spec;
}

}  // namespace

TEST_CASE("a new file is created and reads back") {
  const TempFolder folder;
  const auto saved = yaml::saveSpec(withEpochs(7), samplers(), folder / "a.yaml");
  REQUIRE(saved);
  CHECK(saved->manner == SaveManner::Created);
  const yaml::SpecFile file = yaml::readSpecFile(folder / "a.yaml", samplers());
  CHECK(file.read.issues.empty());
  CHECK(file.read.spec == withEpochs(7));
  CHECK(file.stamp == saved->stamp);
  CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("saving over a file keeps comments, mode and the link that leads to it") {
  const TempFolder folder;
  spill(folder / "real.yaml", "# mine\nshardlens: 2\nseeds: {}\nepochs: 3 # few\n");
  fs::permissions(folder / "real.yaml", fs::perms(0640));
  fs::create_symlink("real.yaml", folder / "link.yaml");
  const auto saved = yaml::saveSpec(withEpochs(9), samplers(), folder / "link.yaml");
  REQUIRE(saved);
  CHECK(saved->manner == SaveManner::Updated);
  CHECK(slurp(folder / "real.yaml") == "# mine\nshardlens: 2\nseeds: {}\nepochs: 9 # few\n");
  CHECK(fs::is_symlink(folder / "link.yaml"));
  CHECK(fs::status(folder / "real.yaml").permissions() == fs::perms(0640));
  CHECK(filesIn(folder.path()) == 2);
}

TEST_CASE("a file that says the same is not touched") {
  const TempFolder folder;
  spill(folder / "a.yaml", "shardlens: 2\nseeds: {}\nepochs: 9\n");
  const auto before = fs::last_write_time(folder / "a.yaml");
  const auto saved = yaml::saveSpec(withEpochs(9), samplers(), folder / "a.yaml");
  REQUIRE(saved);
  CHECK(saved->manner == SaveManner::Unchanged);
  CHECK(fs::last_write_time(folder / "a.yaml") == before);
}

TEST_CASE("a file of something else is kept beside the new one, and so is an older backup") {
  const TempFolder folder;
  for (const char* content : {"trainer: {devices: 4}\n", "trainer: {devices: 5}\n"}) {
    spill(folder / "a.yaml", content);
    const auto saved = yaml::saveSpec(withEpochs(9), samplers(), folder / "a.yaml");
    REQUIRE(saved);
    CHECK(saved->manner == SaveManner::Rewritten);
    CHECK(slurp(saved->backup) == content);
    CHECK(saved->text().find(saved->backup.string()) != std::string::npos);
  }
  CHECK(slurp(folder / "a.yaml.bak") == "trainer: {devices: 4}\n");
  CHECK(slurp(folder / "a.yaml.bak2") == "trainer: {devices: 5}\n");
}

TEST_CASE("a file that changed since it was read is left alone until told so") {
  const TempFolder folder;
  spill(folder / "a.yaml", "shardlens: 2\nepochs: 3\n");
  const yaml::FileStamp read = yaml::readSpecFile(folder / "a.yaml", samplers()).stamp;
  spill(folder / "a.yaml", "shardlens: 2\nepochs: 4\n");
  const auto refused = yaml::saveSpec(withEpochs(9), samplers(), folder / "a.yaml", read);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::Conflict);
  CHECK(slurp(folder / "a.yaml") == "shardlens: 2\nepochs: 4\n");
  CHECK(yaml::saveSpec(withEpochs(9), samplers(), folder / "a.yaml"));
  fs::remove(folder / "a.yaml");
  CHECK(yaml::saveSpec(withEpochs(9), samplers(), folder / "a.yaml", read).error().code == ErrorCode::Conflict);
  CHECK(*yaml::stampOf(folder / "a.yaml") == yaml::FileStamp{});
}

TEST_CASE("a stamp is of the content: touching the file changes nothing") {
  const TempFolder folder;
  spill(folder / "a.yaml", "shardlens: 2\n");
  const auto before = yaml::stampOf(folder / "a.yaml");
  fs::last_write_time(folder / "a.yaml", fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(*yaml::stampOf(folder / "a.yaml") == *before);
}

TEST_CASE("what cannot be read or written is said, and nothing is left behind") {
  const TempFolder folder;
  CHECK(yaml::readSpecFile(folder / "none.yaml", samplers()).read.issues.at(0).text().find("No such file") !=
        std::string::npos);
  CHECK(yaml::readSpecFile(folder.path(), samplers()).read.issues.at(0).message == "this is a folder, not a file.");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(yaml::readSpecFile(folder / "pipe", samplers()).read.issues.at(0).message == "this is not a regular file.");
  CHECK(yaml::saveSpec(withEpochs(1), samplers(), folder / "no/such/folder.yaml").error().code == ErrorCode::Io);
  CHECK_FALSE(yaml::saveSpec(withEpochs(1), samplers(), folder / "pipe"));
  fs::create_symlink("loop", folder / "loop");
  CHECK_FALSE(yaml::saveSpec(withEpochs(1), samplers(), folder / "loop"));
  CHECK(filesIn(folder.path()) == 2);
}

TEST_CASE("what was typed around a spec is saved with it, and no other file's text is lost to it") {
  const TempFolder folder;
  const std::string typed = "# typed\nshardlens: 2\nseeds: {}\nepochs: 3 # few\n";
  const std::string wanted = "# typed\nshardlens: 2\nseeds: {}\nepochs: 9 # few\n";
  REQUIRE(yaml::saveSpec(withEpochs(9), samplers(), folder / "new.yaml", {}, typed));
  CHECK(slurp(folder / "new.yaml") == wanted);

  spill(folder / "broken.yaml", "shardlens: 2\nepoch: 9\n");
  const auto stamp = yaml::stampOf(folder / "broken.yaml");
  REQUIRE(stamp);
  const auto mended = yaml::saveSpec(withEpochs(9), samplers(), folder / "broken.yaml", *stamp, typed);
  REQUIRE(mended);
  CHECK(mended->backup.empty());
  CHECK(slurp(folder / "broken.yaml") == wanted);

  spill(folder / "other.yaml", "# theirs\nshardlens: 2\nseeds: {}\n");
  REQUIRE(yaml::saveSpec(withEpochs(9), samplers(), folder / "other.yaml", {}, typed));
  CHECK(slurp(folder / "other.yaml").starts_with("# theirs\n"));
}
