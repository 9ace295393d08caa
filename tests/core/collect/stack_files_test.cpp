// SPDX-License-Identifier: Apache-2.0
#include "core/collect/stack_files.h"

#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

struct Kept : EventSink {
  std::vector<RankStack> stacks;
  void event(const Event& event) override {
    const auto* stack = std::get_if<RankStack>(&event.what);
    REQUIRE(stack != nullptr);
    stacks.push_back(*stack);
  }
};

const std::string kCalls =
    "{\"time_ns\": 17, \"pid\": 4711, \"frames\": [{\"function\": \"main\", \"file\": \"/a/train.py\", "
    "\"line\": 3, \"code\": \"go()\", \"own\": true}]}";

}  // namespace

TEST_CASE("a file of calls is read when it comes and when it is replaced") {
  const TempFolder folder;
  StackFiles files(folder.path());
  Kept kept;
  files.look(kept);
  CHECK(kept.stacks.empty());  // there is no folder
  std::filesystem::create_directory(folder / "stacks");
  spill(folder / "stacks" / "12-4711.json", kCalls);
  files.look(kept);
  files.look(kept);
  REQUIRE(kept.stacks.size() == 1);
  CHECK(kept.stacks[0].rank == 12);
  CHECK(kept.stacks[0].pid == 4711);
  CHECK(kept.stacks[0].taken_ns == 17);
  CHECK(kept.stacks[0].frames == std::vector<StackFrame>{{"main", "/a/train.py", 3, "go()", true}});

  spill(folder / "fresh", "{\"time_ns\": 18, \"pid\": 4711, \"worker\": 1, \"frames\": []}");
  std::filesystem::last_write_time(folder / "fresh",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
  std::filesystem::rename(folder / "fresh", folder / "stacks" / "12-4711.json");
  files.look(kept);
  REQUIRE(kept.stacks.size() == 2);
  CHECK(kept.stacks[1].worker == 1);

  std::filesystem::remove(folder / "stacks" / "12-4711.json");
  files.look(kept);
  files.look(kept);
  REQUIRE(kept.stacks.size() == 3);
  CHECK(kept.stacks[2].rank == 12);
  CHECK(kept.stacks[2].worker == 1);
  CHECK(kept.stacks[2].pid == 4711);
  CHECK(kept.stacks[2].frames.empty());
}

TEST_CASE("samples of what is over are believed if they can be") {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "stacks");
  StackFiles files(folder.path());
  Kept kept;
  const auto write = [&](const std::string& pid, const std::string& since, const std::string& there) {
    spill(folder / "stacks" / ("3-" + pid + ".json"),
          "{\"time_ns\": 17, \"pid\": " + pid + ", \"frames\": [], \"quiet\": {\"since_ns\": " + since +
              ", \"samples\": 8, \"there\": " + there +
              ", \"file\": \"/a/train.py\", \"line\": 57, \"function\": \"augment\"}}");
    files.look(kept);
  };
  write("1", "5", "7");
  REQUIRE(kept.stacks.size() == 1);
  CHECK(kept.stacks[0].quiet == QuietSamples{5, 8, 7, {"augment", "/a/train.py", 57, "", true}});
  std::filesystem::remove(folder / "stacks" / "3-1.json");
  write("2", "18", "7");
  write("3", "-1", "7");
  write("4", "5", "9");
  REQUIRE(kept.stacks.size() == 5);  // the file that went is told, too
  for (std::size_t i = 1; i < 5; ++i) CHECK_FALSE(kept.stacks[i].quiet);
}

TEST_CASE("what is no file of calls is passed over") {
  const TempFolder folder;
  const auto stacks = folder / "stacks";
  std::filesystem::create_directories(stacks / "3-3.json");
  spill(stacks / "1-1.json", "[1, 2");
  spill(stacks / "2-2.json.new", kCalls);
  spill(stacks / "x-2.json", kCalls);
  spill(stacks / "-2.json", kCalls);
  spill(stacks / "4.json", kCalls);
  spill(stacks / "5-5.json", std::string(1 << 19, ' ') + kCalls);
  spill(stacks / "6-6.json", "{\"time_ns\": 7, \"pid\": 6, \"worker\": 1.5, \"frames\": [7, {\"function\": 1}]}");
  spill(stacks / "7-7.json", "{\"time_ns\": 9000000000000000000, \"pid\": 7, \"frames\": []}");
  spill(stacks / "8-8.json", "{\"pid\": 8, \"frames\": []}");
  spill(stacks / "3000000000-9.json", kCalls);
  StackFiles files(folder.path());
  Kept kept;
  files.look(kept);
  REQUIRE(kept.stacks.size() == 1);
  CHECK(kept.stacks[0].rank == 6);
  CHECK_FALSE(kept.stacks[0].worker);
  CHECK(kept.stacks[0].frames == std::vector<StackFrame>{{}});
}
