// SPDX-License-Identifier: Apache-2.0
#include "core/collect/agent_recording.h"

#include "core/collect/awaited_job.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace shardlens;
using namespace shardlens::test;
namespace fs = std::filesystem;

TEST_CASE("a later start is recorded beside the first one") {
  CHECK(recordingOfStart("runs/job-1/run.slrun", 1) == "runs/job-1/run.slrun");
  CHECK(recordingOfStart("runs/job-1/run.slrun", 2) == "runs/job-1-2/run.slrun");
  CHECK(recordingOfStart("/x/mine.slrun", 3) == "/x/mine-3.slrun");
  CHECK(recordingOfStart("/x/mine", 2) == "/x/mine-2");
}

TEST_CASE("each start names the one after it") {
  const TempFolder folder;
  const fs::path first = folder / "mine-7";
  for (const char* const name : {"mine-7", "mine-7-2", "run-3/run.slrun", "run-3-4/run.slrun"})
    fs::create_directories(folder / name);
  for (const char* const name : {"mine-7", "run-3/run.slrun"}) std::ofstream(folder / name / "awaited") << "x\n";
  CHECK(recordingOfNextStart(first) == folder / "mine-7-2");
  CHECK(recordingOfNextStart(folder / "mine-7-2") == folder / "mine-7-3");
  CHECK(recordingOfNextStart(folder / "run-3/run.slrun") == folder / "run-3-2/run.slrun");
  CHECK(recordingOfNextStart(folder / "run-3-4/run.slrun") == folder / "run-3-5/run.slrun");
}

TEST_CASE("hosts of one start share a recording, and a host has none twice") {
  const TempFolder folder;
  const fs::path first = folder / "mine.slrun";
  const fs::path second = folder / "mine-2.slrun";
  const auto take = [&](std::uint64_t world, const char* host) {
    const auto taken = takeRecording(first, world, host);
    REQUIRE(taken);
    return *taken;
  };
  CHECK(take(7, "a") == first);
  CHECK(take(7, "b") == first);
  CHECK(take(7, "a") == second);  // started again
  CHECK(take(8, "c") == folder / "mine-3.slrun");
  CHECK(take(7, "d") == first);
  leaveRecording(first, "a");
  CHECK(take(7, "e") == second);  // whoever comes after an end is of a later start
  // Nothing is left of how these files were made.
  for (const fs::directory_entry& entry : fs::directory_iterator(first)) CHECK(entry.path().extension() != ".new");
}

TEST_CASE("what cannot be made is an error") {
  const TempFolder folder;
  std::ofstream(folder / "file") << "x";
  CHECK_FALSE(takeRecording(folder / "file" / "mine.slrun", 7, "a"));
}

TEST_CASE("files that probes of a later start wrote go to its recording, and no others") {
  const TempFolder folder;
  for (const char* const name : {"first", "second", "start"}) fs::create_directory(folder / name);
  // Two hosts are called alike, and a process on each of them has the number 12.
  for (const char* const name : {"first/host-12.slprobe", "first/host-12-2.slprobe", "first/host-13.slprobe",
                                 "first/host-12.slseg", "start/member-12-999", "start/file-host-12-2.slprobe"})
    std::ofstream(folder / name) << name;
  StrayProbeFiles strays(folder / "first", folder / "second", folder / "start");
  strays.note();
  fs::remove_all(folder / "start");
  strays.bringHome();
  CHECK(fs::exists(folder / "second/host-12-2.slprobe"));
  for (const char* const name : {"first/host-12.slprobe", "first/host-13.slprobe", "first/host-12.slseg"})
    CHECK(fs::exists(folder / name));
}

TEST_CASE("lines for a shell are quoted") {
  ProbeEnvironment environment;
  environment.variables = {{"A", "plain"}, {"B", "it's a \"b\" $c"}};
  CHECK(exportLines(environment) == "export A=plain\nexport B='it'\\''s a \"b\" $c'\n");
}
