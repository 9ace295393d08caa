// SPDX-License-Identifier: Apache-2.0
// Several recorders of one recording.
#include "core/record/recording_reader.h"
#include "tests/core/record/sample_run.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// The times of the ticks in `events`, in milliseconds.
std::vector<std::int64_t> ticks(const std::vector<Event>& events) {
  std::vector<std::int64_t> times;
  for (const Event& event : events) {
    if (std::holds_alternative<Tick>(event.what)) times.push_back((event.time_ns - kStart) / 1'000'000);
  }
  return times;
}

Event tick(double ms) {
  return {at(ms), Tick{}};
}

}  // namespace

TEST_CASE("segments of one clock are merged by time; the run begins first and ends last") {
  const TempFolder folder;
  const Recorder gone = goneRecorder();
  // The first file by name is not the one that begins the run.
  const auto path =
      recordingOf(folder / "run.slrun", {segmentOf({tick(1), tick(4), tick(9)}, gone),
                                         segmentOf({begin(2), tick(2), tick(3), tick(5), {at(6), RunEnd{}}}, gone)});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  const auto events = readAll(*reader);
  REQUIRE(events.size() == 8);
  CHECK(std::holds_alternative<RunBegin>(events.front().what));
  CHECK(std::holds_alternative<RunEnd>(events.back().what));
  CHECK(ticks(events) == std::vector<std::int64_t>{1, 2, 3, 4, 5, 9});
  for (const Event& event : events) CHECK(event.clock == 0);
  CHECK(reader->note().empty());
}

TEST_CASE(
    "hosts with clocks of their own are put side by side by their wall clocks, and the order is said to be unsure") {
  const TempFolder folder;
  const auto path = recordingOf(folder / "run.slrun",
                                {segmentOf({tick(1), tick(4)}, farRecorder("b", 10'000'000)),
                                 segmentOf({begin(2), tick(2), tick(12), {at(20), RunEnd{}}}, farRecorder("a"))});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  const auto events = readAll(*reader);
  REQUIRE(events.size() == 7);
  CHECK(ticks(events) == std::vector<std::int64_t>{2, 1, 12, 4});  // b's clock reads 10 ms less
  CHECK(events[1].clock == 0);
  REQUIRE(std::holds_alternative<RunClock>(events[2].what));
  CHECK(std::get<RunClock>(events[2].what).clock == 1);
  CHECK(std::get<RunClock>(events[2].what).host == "b");
  CHECK_FALSE(std::get<RunClock>(events[2].what).offset);
  CHECK(events[3].clock == 1);
  CHECK(reader->note() ==
        "The offset between the clocks of a and b was not measured: the order of their events follows the wall clocks "
        "and is uncertain.");
}

TEST_CASE("a host that measured how far its clock is off is merged by that") {
  const TempFolder folder;
  const Event measured{at(0), RunClock{0, "b", ClockOffset{-3'000'000, 1000}}};  // b's clock reads 3 ms less
  const auto path = recordingOf(folder / "run.slrun",
                                {segmentOf({measured, tick(1), tick(4)}, farRecorder("b", 10'000'000)),
                                 segmentOf({begin(2), tick(2), tick(6), {at(20), RunEnd{}}}, farRecorder("a"))});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  const auto events = readAll(*reader);
  CHECK(ticks(events) == std::vector<std::int64_t>{2, 1, 6, 4});
  bool is_known = false;
  for (const Event& event : events) {
    const auto* clock = std::get_if<RunClock>(&event.what);
    is_known = is_known || (clock != nullptr && clock->clock == 1 && clock->offset);
  }
  CHECK(is_known);
  CHECK(reader->note().empty());
}

TEST_CASE("a host that joins later is read from then on") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  auto first = RecordingWriter::create(path);
  REQUIRE(first);
  first->add(begin(2));
  first->add(tick(1));
  REQUIRE(first->flush());
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 2);
  CHECK(reader->isBeingWritten());
  {
    auto second = RecordingWriter::join(path);
    REQUIRE(second);
    second->add(tick(2));
    REQUIRE(second->flush());
    CHECK(ticks(readAll(*reader)) == std::vector<std::int64_t>{2});
  }
  first->add(tick(3));
  REQUIRE(first->flush());
  CHECK(ticks(readAll(*reader)) == std::vector<std::int64_t>{3});
  CHECK_FALSE(reader->ended());
  first->add({at(4), RunEnd{}});
  REQUIRE(first->flush());
  CHECK(readAll(*reader).size() == 1);
  CHECK(reader->ended());
  CHECK_FALSE(RecordingWriter::join(folder / "absent"));
}

TEST_CASE("a second beginning is not a second run; a segment of another job is named") {
  const TempFolder folder;
  Event mine = begin(2);
  std::get<RunBegin>(mine.what).job_id = "one";
  Event other = mine;
  auto reader =
      RecordingReader::open(recordingOf(folder / "same.slrun", {segmentOf({mine, tick(1), {at(3), RunEnd{}}}),
                                                                segmentOf({other, tick(2), {at(3), RunEnd{}}})}));
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 4);
  CHECK(reader->note().empty());
  std::get<RunBegin>(other.what).job_id = "another";
  auto mixed = RecordingReader::open(recordingOf(
      folder / "mixed.slrun", {segmentOf({mine, tick(1)}), segmentOf({other, tick(2), {at(3), RunEnd{}}})}));
  REQUIRE(mixed);
  CHECK(readAll(*mixed).size() == 2);
  CHECK_FALSE(mixed->ended());
  CHECK(mixed->note() == "The recording has no end. host-1.slseg belongs to another job and was left out.");
}

TEST_CASE("many long segments are merged exactly") {
  const TempFolder folder;
  constexpr int kSegments = 5;
  constexpr int kTicks = 40'000;  // some megabytes: more than a reader takes at once
  std::vector<std::vector<Event>> parts(kSegments);
  parts[2].push_back(begin(2));
  for (int i = 0; i < kTicks * kSegments; ++i) {
    parts[static_cast<std::size_t>((i / 7 + i % 3) % kSegments)].push_back(
        {at(i), LogLine{-1, false, std::string(90, 'x')}});
  }
  parts[2].push_back({at(kTicks * kSegments), RunEnd{}});
  std::vector<std::string> segments;
  const Recorder gone = goneRecorder();
  for (const auto& part : parts) segments.push_back(segmentOf(part, gone));
  auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", segments));
  REQUIRE(reader);
  std::int64_t last = 0;
  int lines = 0;
  int steps_back = 0;
  for (auto events = reader->readMore(); !events.empty(); events = reader->readMore()) {
    for (const Event& event : events) {
      steps_back += event.time_ns < last ? 1 : 0;
      last = event.time_ns;
      lines += std::holds_alternative<LogLine>(event.what) ? 1 : 0;
    }
  }
  CHECK(lines == kTicks * kSegments);
  CHECK(steps_back == 0);
  CHECK(reader->ended());
}

namespace {

Event ended(double ms, JobStatus status, const std::string& failure = {}) {
  return {at(ms), RunEnd{status, status == JobStatus::Finished ? 0 : 4, failure}};
}

}  // namespace

TEST_CASE("of several recorders that began the run, the worst end comes last, and once") {
  const TempFolder folder;
  const Recorder gone = goneRecorder();
  const auto path = recordingOf(folder / "run.slrun",
                                {segmentOf({begin(2), tick(1), ended(2, JobStatus::Finished)}, gone),
                                 segmentOf({begin(2), tick(3), ended(4, JobStatus::Failed, "Rank 1 died.")}, gone),
                                 segmentOf({begin(2), tick(5), ended(6, JobStatus::Finished)}, gone)});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  const auto events = readAll(*reader);
  REQUIRE(events.size() == 5);
  CHECK(std::holds_alternative<RunBegin>(events.front().what));
  CHECK(ticks(events) == std::vector<std::int64_t>{1, 3, 5});
  REQUIRE(std::holds_alternative<RunEnd>(events.back().what));
  CHECK(std::get<RunEnd>(events.back().what).failure == "Rank 1 died.");
  CHECK(reader->ended());
  CHECK(reader->note().empty());
}

TEST_CASE("a run goes on as long as one of those that began it writes") {
  const TempFolder folder;
  const auto path = recordingOf(folder / "run.slrun", {segmentOf({begin(2), ended(2, JobStatus::Finished)}),
                                                       segmentOf({begin(2), tick(3)}, thisRecorder())});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 2);
  CHECK_FALSE(reader->ended());
  CHECK(reader->isBeingWritten());
  std::string more;
  appendEvent(more, ended(4, JobStatus::Finished));
  std::ofstream(path / "host-1.slseg", std::ios::binary | std::ios::app) << more;
  const auto events = readAll(*reader);
  REQUIRE(events.size() == 1);
  CHECK(std::holds_alternative<RunEnd>(events.back().what));
  CHECK(reader->ended());
}

TEST_CASE("a recorder that was killed does not keep the others from an end, and how its part ended is not known") {
  const TempFolder folder;
  const auto path = recordingOf(folder / "run.slrun",
                                {segmentOf({begin(2), tick(1)}), segmentOf({begin(2), ended(2, JobStatus::Finished)})});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  const auto events = readAll(*reader);
  REQUIRE(events.size() == 3);
  REQUIRE(std::holds_alternative<RunEnd>(events.back().what));
  CHECK(std::get<RunEnd>(events.back().what).status == JobStatus::Unknown);
  CHECK(reader->ended());
  CHECK(reader->note() ==
        "The recorder on " + goneRecorder().host + " was ended early: it is not known what its ranks did after that.");
}

TEST_CASE("a recorder that only looks on is none that could be asked to end the job") {
  const TempFolder folder;
  Event looking = begin(2);
  std::get<RunBegin>(looking.what).ends_job = false;
  const auto path = recordingOf(folder / "run.slrun", {segmentOf({looking, tick(1)}, thisRecorder())});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 2);
  CHECK(reader->isBeingWritten());
  CHECK_FALSE(reader->recorder());
}
