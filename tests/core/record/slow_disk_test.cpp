// SPDX-License-Identifier: Apache-2.0
// The disk stands still while a job goes on: who records does not, and says what was lost.
#include "core/record/recording_reader.h"
#include "tests/core/record/sample_run.h"
#include "tests/support/gated_sink.h"

#include <doctest/doctest.h>

#include <csignal>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

RecordingWriter writerOnto(const std::shared_ptr<Gate>& gate, std::size_t most_waiting) {
  auto writer = RecordingWriter::onto(std::make_unique<GatedSink>(gate), "slow.slseg", most_waiting);
  REQUIRE(writer);
  return *std::move(writer);
}

std::vector<Event> readBack(const TempFolder& folder, const std::string& frames) {
  auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", {segmentOf({}) + frames}));
  REQUIRE(reader);
  auto events = readAll(*reader);
  CHECK(reader->note().empty());
  return events;
}

template <class T>
std::vector<T> allOf(const std::vector<Event>& events) {
  std::vector<T> out;
  for (const Event& event : events) {
    if (const auto* one = std::get_if<T>(&event.what)) out.push_back(*one);
  }
  return out;
}

std::vector<sl_record> recordsAt(double ms, std::size_t count) {
  sl_record record{};
  record.kind = SL_BATCH;
  record.time_ns = static_cast<std::uint64_t>(at(ms));
  return std::vector<sl_record>(count, record);
}

}  // namespace

TEST_CASE("nothing is lost, and nobody waits, while the disk stands still and there is room") {
  const TempFolder folder;
  const auto gate = std::make_shared<Gate>();
  gate->close();
  {
    RecordingWriter writer = writerOnto(gate, std::size_t{1} << 20);
    writer.add(begin(2));
    for (int i = 1; i <= 50; ++i) {
      writer.add(1, recordsAt(i, 10));
      CHECK(writer.send());
    }
    CHECK(gate->bytes().empty());
    writer.add({at(60), RunEnd{}});
    gate->open();
    CHECK(writer.flush());
    CHECK_FALSE(gate->bytes().empty());
  }
  CHECK_FALSE(gate->gaveUp());
  const auto events = readBack(folder, gate->bytes());
  CHECK(allOf<RankRecord>(events).size() == 500);
  CHECK(std::holds_alternative<RunEnd>(events.back().what));
}

TEST_CASE("what finds no room is counted in the recording, rank by rank, and what a replay needs is kept") {
  const TempFolder folder;
  const auto gate = std::make_shared<Gate>();
  gate->close();
  {
    RecordingWriter writer = writerOnto(gate, 20'000);
    writer.add(begin(2));
    writer.add({at(1), RankDropped{0, 7}});
    for (int i = 1; i <= 100; ++i) {
      writer.add(0, recordsAt(i, 10));
      writer.add(slot(i, 1, SL_PHASE_LOAD, i, {0, 2, 3, 4}));
      writer.add({at(i), LogLine{1, false, std::string(100, 'x')}});
      (void)writer.send();
    }
    const auto sent = writer.send();
    REQUIRE_FALSE(sent);
    CHECK(sent.error().code == ErrorCode::Io);
    writer.add({at(101), RankDropped{0, 9}});
    writer.add(slot(102, 0, SL_PHASE_DONE, 102, {0, 2, 3, 4}));
    writer.add({at(103), RankProcess{0, 4711, ProcessState::Gone, "node-1"}});
    writer.add({at(104), RunEnd{}});
    gate->open();
    const auto flushed = writer.flush();
    REQUIRE_FALSE(flushed);
    CHECK(flushed.error().message.find("left out of the recording, because the disk was too slow.") !=
          std::string::npos);
  }
  CHECK_FALSE(gate->gaveUp());
  const auto events = readBack(folder, gate->bytes());
  const auto records = static_cast<std::int64_t>(allOf<RankRecord>(events).size());
  CHECK(records >= 10);
  CHECK(records < 1000);
  const auto dropped = allOf<RankDropped>(events);
  REQUIRE(dropped.size() == 2);
  CHECK(dropped[0].total == 7);
  CHECK(dropped[1].total == 9 + 1000 - records);
  const auto slots = allOf<RankSlot>(events);
  REQUIRE(slots.size() >= 2);
  CHECK(std::count_if(slots.begin(), slots.end(), [](const RankSlot& one) {
          return one.rank == 1 && one.slot.time_ns == static_cast<std::uint64_t>(at(100));
        }) == 1);
  CHECK(std::count_if(slots.begin(), slots.end(),
                      [](const RankSlot& one) { return one.rank == 0 && one.slot.phase == SL_PHASE_DONE; }) == 1);
  CHECK(allOf<RankProcess>(events).size() == 1);
  const auto lines = allOf<LogLine>(events);
  const auto printed = std::count_if(lines.begin(), lines.end(), [](const LogLine& line) { return line.rank == 1; });
  CHECK(lines.back().text == std::to_string(1000 - records) + " records of ranks and " + std::to_string(100 - printed) +
                                 " lines of output were left out of the recording, because the disk was too slow.");
  CHECK(std::holds_alternative<RunEnd>(events.back().what));
}

TEST_CASE("after a gap the recording goes on") {
  const TempFolder folder;
  const auto gate = std::make_shared<Gate>();
  gate->close();
  std::size_t before_gap = 0;
  {
    RecordingWriter writer = writerOnto(gate, 10'000);
    writer.add(begin(2));
    for (int i = 1; i <= 100; ++i) writer.add(0, recordsAt(i, 10));
    gate->open();
    (void)writer.flush();
    before_gap = gate->bytes().size();
    writer.add(0, recordsAt(200, 10));
    writer.add({at(300), RunEnd{}});
    (void)writer.flush();
  }
  CHECK(gate->bytes().size() > before_gap + 10 * sizeof(sl_record));
  const auto events = readBack(folder, gate->bytes());
  CHECK(allOf<RankRecord>(events).back().record.time_ns == static_cast<std::uint64_t>(at(200)));
  CHECK(allOf<RankDropped>(events).size() == 1);
  CHECK(allOf<LogLine>(events).size() == 1);
}

TEST_CASE("an error of the disk comes back from the next call, and from each one after it") {
  class Refusing : public FrameSink {
   public:
    Result<void> write(std::string_view /*frames*/) override {
      return Error{ErrorCode::Io, "The disk is full.", {}, {}};
    }
  };
  auto writer = RecordingWriter::onto(std::make_unique<Refusing>(), "full.slseg");
  REQUIRE(writer);
  writer->add(begin(2));
  REQUIRE_FALSE(writer->flush());
  writer->add({at(1), Tick{}});
  REQUIRE_FALSE(writer->send());
  CHECK(writer->send().error().message == "The disk is full.");
}

TEST_CASE("the thread that writes takes no signals of the process") {
  const TempFolder folder;
  auto writer = RecordingWriter::create(folder / "run.slrun");
  REQUIRE(writer);
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &usr1, &before);
  kill(getpid(), SIGUSR1);  // would end this process if any thread took it
  int got = 0;
  CHECK(sigwait(&usr1, &got) == 0);
  CHECK(got == SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}
