// SPDX-License-Identifier: Apache-2.0
#include "core/record/run_file.h"

#include "core/base/process.h"
#include "core/record/frame.h"
#include "tests/support/events.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

std::vector<Event> sampleRun() {
  Event first = begin(2);
  auto& header = std::get<RunBegin>(first.what);
  header.command = "shardlens run 'a b.yaml'";
  header.spec_yaml = "name: x\n";
  header.recorder_pid = 1;
  header.recorder_start_time = 1;
  std::vector<Event> events = {first};
  addStep(events, 1, 0, 5, 1, 1, 9);
  events.push_back(slot(10, 1, SL_PHASE_LOAD, 9.5, {0, 2, 3, 4}));
  events.push_back({at(10), LauncherSays{1, 0, 9}});
  events.push_back({at(10), RunClock{1, "node-1", ClockOffset{-4000, 20}}});
  events.push_back({at(10), RunClock{2, "node-2", std::nullopt}});
  events.push_back({at(11), RankProcess{1, 4711, ProcessState::Stopped, "node-1"}});
  events.push_back({at(12), RankDropped{0, 17}});
  events.push_back({at(13), LogLine{1, true, "not \xff utf-8, and a\ttab"}});
  events.push_back({at(14), Tick{}});
  events.push_back({at(15), RunStopping{true, "The user stopped the job."}});
  events.push_back({at(16), RunEnd{JobStatus::Stopped, 4, "stopped"}});
  return events;
}

std::string bytesOf(const std::vector<Event>& events) {
  std::string bytes = frame::fileHeader();
  for (const Event& event : events) frame::append(bytes, event);
  return bytes;
}

/// Two events say the same when their frames are the same bytes.
bool same(const Event& a, const Event& b) {
  std::string left;
  std::string right;
  frame::append(left, a);
  frame::append(right, b);
  return left == right && a.time_ns == b.time_ns;
}

std::size_t readAll(RunFileReader& reader, std::vector<Event>& events) {
  for (auto more = reader.readMore(); !more.empty(); more = reader.readMore()) {
    events.insert(events.end(), more.begin(), more.end());
  }
  return events.size();
}

}  // namespace

TEST_CASE("every event comes back as it was written") {
  const TempFolder folder;
  const auto events = sampleRun();
  {
    auto writer = RunFileWriter::create(folder / "run.slrun");
    REQUIRE(writer);
    for (const Event& event : events) writer->add(event);
    CHECK(writer->flush());
  }
  auto reader = RunFileReader::open(folder / "run.slrun");
  REQUIRE(reader);
  std::vector<Event> read;
  REQUIRE(readAll(*reader, read) == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) CHECK(same(read[i], events[i]));
  CHECK(reader->ended());
  CHECK(reader->note().empty());
  CHECK_FALSE(RunFileWriter::create(folder / "run.slrun"));
}

TEST_CASE("a file that grows byte by byte yields every event once, as soon as it is whole") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = bytesOf(events);
  const auto path = folder / "run.slrun";
  spill(path, "");
  auto reader = RunFileReader::open(path);
  REQUIRE(reader);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  std::vector<Event> read;
  for (const char byte : bytes) {
    file << byte << std::flush;
    readAll(*reader, read);
  }
  REQUIRE(read.size() == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) CHECK(same(read[i], events[i]));
}

TEST_CASE("a file cut at any byte reads up to its last whole frame, with a note") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = bytesOf(events);
  const auto path = folder / "run.slrun";
  std::size_t most = 0;
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    CAPTURE(cut);
    std::filesystem::remove(path);
    spill(path, bytes.substr(0, cut));
    std::vector<Event> read;
    const auto note = readRun(path, [&read](const Event& event) { read.push_back(event); });
    REQUIRE(note);
    CHECK_FALSE(note->empty());
    REQUIRE_FALSE(read.empty());
    CHECK(std::holds_alternative<RecordingLost>(read.back().what));
    read.pop_back();
    for (std::size_t i = 0; i < read.size(); ++i) CHECK(same(read[i], events[i]));
    CHECK(read.size() >= most);
    most = read.size();
  }
  CHECK(most == events.size() - 1);
}

TEST_CASE("a damaged byte anywhere is found; what stands before it is kept") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = bytesOf(events);
  const auto path = folder / "run.slrun";
  for (std::size_t at_byte = frame::kFileHeader; at_byte < bytes.size(); ++at_byte) {
    CAPTURE(at_byte);
    std::string damaged = bytes;
    damaged[at_byte] = static_cast<char>(damaged[at_byte] ^ 0x40);
    std::filesystem::remove(path);
    spill(path, damaged);
    auto reader = RunFileReader::open(path);
    REQUIRE(reader);
    std::vector<Event> read;
    readAll(*reader, read);
    // Two bytes of each header say nothing yet.
    const bool is_whole = read.size() == events.size();
    CHECK((is_whole || !reader->note().empty()));
    for (std::size_t i = 0; i < read.size(); ++i) CHECK(same(read[i], events[i]));
  }
}

TEST_CASE("other files, newer formats and unknown frames") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  spill(path, "shardlens: 1\nname: x\n");
  REQUIRE_FALSE(RunFileReader::open(path));
  CHECK(RunFileReader::open(path).error().code == ErrorCode::BadInput);
  CHECK_FALSE(RunFileReader::open(folder / "absent"));
  std::string newer = frame::fileHeader();
  newer[frame::kMagic.size()] = 2;
  spill(path, newer);
  CHECK(RunFileReader::open(path).error().message.find("format 2") != std::string::npos);
}

TEST_CASE("a frame of a kind from the future is skipped and counted") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  std::string bytes = frame::fileHeader();
  frame::append(bytes, begin(2));
  frame::appendRaw(bytes, 4242, -1, "from the future");
  frame::append(bytes, {at(1), RunEnd{}});
  spill(path, bytes);
  auto reader = RunFileReader::open(path);
  REQUIRE(reader);
  std::vector<Event> read;
  CHECK(readAll(*reader, read) == 2);
  CHECK(reader->unknownFrames() == 1);
  CHECK(reader->ended());
}

TEST_CASE("a full disk cuts the recording at a whole frame and tells") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  const pid_t child = fork();
  if (child == 0) {
    // A limit on the file's size stands in for a full disk: write() takes a part, then fails.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {3000, 3000};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto writer = RunFileWriter::create(path);
    bool failed = false;
    for (int i = 0; writer && i < 100; ++i) {
      writer->add({at(i), LogLine{0, false, std::string(100, 'x')}});
      const bool is_good = writer->flush().has_value();
      if (failed && is_good) _exit(2);
      failed = failed || !is_good;
    }
    _exit(failed ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  auto reader = RunFileReader::open(path);
  REQUIRE(reader);
  std::vector<Event> read;
  CHECK(readAll(*reader, read) > 10);
  CHECK(reader->note() == "The recording has no end.");
}

TEST_CASE("a reader knows whether somebody still writes") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  Event first = begin(1);
  const ProcessId self = thisProcess();
  std::get<RunBegin>(first.what).recorder_pid = self.pid;
  std::get<RunBegin>(first.what).recorder_start_time = static_cast<std::int64_t>(self.start_time);
  spill(path, bytesOf({first}));
  bool is_lost = false;
  const auto note = readRun(
      path, [&](const Event& event) { is_lost = is_lost || std::holds_alternative<RecordingLost>(event.what); });
  REQUIRE(note);
  CHECK_FALSE(is_lost);
  CHECK(note->empty());
}
