// SPDX-License-Identifier: Apache-2.0
// Damage costs the frames that it hits, never those after it, and is counted.
#include "core/record/recording_reader.h"
#include "tests/core/record/sample_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

bool isReadersOwn(const Event& event) {
  return std::holds_alternative<FramesDamaged>(event.what) || std::holds_alternative<FrameUnknown>(event.what) ||
         std::holds_alternative<RecordingLost>(event.what);
}

std::vector<Event> written(std::vector<Event> events) {
  std::erase_if(events, isReadersOwn);
  return events;
}

/// How many of `read` stand in `events`, in the same order; all of them must.
bool isSubsequence(const std::vector<Event>& read, const std::vector<Event>& events) {
  std::size_t at = 0;
  for (const Event& event : read) {
    while (at < events.size() && !same(event, events[at])) ++at;
    if (at++ == events.size()) return false;
  }
  return true;
}

std::int64_t damagedBytes(const std::vector<Event>& events) {
  std::int64_t bytes = 0;
  for (const Event& event : events) {
    if (const auto* damage = std::get_if<FramesDamaged>(&event.what)) bytes += damage->bytes;
  }
  return bytes;
}

}  // namespace

TEST_CASE("a flipped bit anywhere costs at most one event; all others are read") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = segmentOf(events);
  for (std::size_t at_byte = 0; at_byte < bytes.size(); ++at_byte) {
    CAPTURE(at_byte);
    std::string damaged = bytes;
    damaged[at_byte] = static_cast<char>(damaged[at_byte] ^ (1 << (at_byte % 8)));
    const auto path = recordingOf(folder / "run.slrun", {damaged});
    std::vector<Event> all;
    const auto reader = readRecording(path, [&all](const Event& event) { all.push_back(event); });
    REQUIRE(reader);
    const auto read = written(all);
    CHECK(read.size() >= events.size() - 1);
    CHECK(isSubsequence(read, events));
    // Which byte it was is always noticed.
    CHECK_FALSE(reader->note().empty());
    CHECK((reader->isDamaged() || !reader->ended()));
  }
}

TEST_CASE("bytes that are missing, added or overwritten cost what they hit") {
  const TempFolder folder;
  std::vector<Event> events = {begin(1)};
  for (int i = 0; i < 400; ++i) events.push_back({at(i), LogLine{0, false, std::string(1 + i % 300, 'x')}});
  events.push_back({at(400), RunEnd{}});
  const std::string bytes = segmentOf(events);
  const std::size_t middle = bytes.size() / 2;
  struct Case {
    const char* name;
    std::string bytes;
    std::size_t most_lost;
  };
  const std::vector<Case> cases = {
      {"one missing", bytes.substr(0, middle) + bytes.substr(middle + 1), 1},
      {"a thousand missing", bytes.substr(0, middle) + bytes.substr(middle + 1000), 60},
      {"noise added", bytes.substr(0, middle) + std::string(999, '\xF5') + bytes.substr(middle), 1},
      {"marks added", bytes.substr(0, middle) + std::string(frame::kSync) + bytes.substr(middle), 1},
      {"a block of zeros", bytes.substr(0, middle) + std::string(4096, '\0') + bytes.substr(middle + 4096), 60},
  };
  for (const Case& one : cases) {
    CAPTURE(one.name);
    auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", {one.bytes}));
    REQUIRE(reader);
    const auto all = readAll(*reader);
    const auto read = written(all);
    CHECK(read.size() + one.most_lost >= events.size());
    CHECK(isSubsequence(read, events));
    CHECK(reader->ended());
    CHECK(reader->isDamaged());
    CHECK(reader->note().find("damaged") != std::string::npos);
    CHECK(damagedBytes(all) > 0);
  }
}

TEST_CASE("heads without their payloads by the thousand are skipped, and what follows is read") {
  const TempFolder folder;
  std::string frame;
  frame::append(frame, frame::Kind::Log, 0, std::string(frame::kMostPayload, 'x'));
  const std::string head = frame.substr(0, frame::kHeader);  // right in itself, and promising a mebibyte
  constexpr int kHeads = 10'000;
  constexpr int kLines = 20;
  std::string bytes = segmentOf({begin(1)});
  for (int i = 0; i < kHeads; ++i) bytes += head;
  for (int i = 0; i < kLines; ++i) appendEvent(bytes, {at(i), LogLine{0, false, std::string(100'000, 'y')}});
  appendEvent(bytes, {at(kLines), RunEnd{}});
  std::vector<Event> all;
  const auto reader =
      readRecording(recordingOf(folder / "run.slrun", {bytes}), [&all](const Event& event) { all.push_back(event); });
  REQUIRE(reader);
  CHECK(written(all).size() == 2 + kLines);
  CHECK(damagedBytes(all) == static_cast<std::int64_t>(kHeads * head.size()));
  CHECK(reader->ended());
}

TEST_CASE("a long message that lacks a piece is lost as a whole, and nothing else is") {
  const TempFolder folder;
  const std::string head = segmentOf({begin(1)});
  std::string line;
  appendEvent(line, {at(1), LogLine{0, false, std::string(3 * frame::kMostPayload, 'x')}});
  std::string tail;
  appendEvent(tail, {at(2), Tick{}});
  appendEvent(tail, {at(3), RunEnd{}});
  const std::size_t piece = frame::kHeader + frame::kMostPayload;
  const std::string without = line.substr(0, piece) + line.substr(2 * piece);
  std::string flipped = line;
  flipped[piece + 5000] = 'y';
  for (const std::string& spoiled : {without, flipped, line.substr(piece), line.substr(0, piece)}) {
    auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", {head + spoiled + tail}));
    REQUIRE(reader);
    const auto all = readAll(*reader);
    const auto read = written(all);
    REQUIRE(read.size() == 3);
    CHECK(std::holds_alternative<Tick>(read[1].what));
    CHECK(damagedBytes(all) > static_cast<std::int64_t>(frame::kMostPayload) / 2);
    CHECK(reader->ended());
  }
}

TEST_CASE("a frame of a kind from the future is skipped, counted and told") {
  const TempFolder folder;
  std::string bytes = segmentOf({begin(2)});
  frame::append(bytes, 4242, -1, "from the future");
  frame::append(bytes, 4242, -1, std::string(2 * frame::kMostPayload, 'f'));
  appendEvent(bytes, {at(1), RunEnd{}});
  auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", {bytes}));
  REQUIRE(reader);
  const auto all = readAll(*reader);
  CHECK(all.size() == 4);
  CHECK(std::get<FrameUnknown>(all[1].what).kind == 4242);
  CHECK(reader->ended());
  CHECK_FALSE(reader->isDamaged());
  CHECK(reader->note().find("2 messages of a type that this version does not know were skipped") == 0);
}
