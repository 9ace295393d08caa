// SPDX-License-Identifier: Apache-2.0
// One recorder: what is written is read, also while it grows, cut off, or on a full disk.
#include "core/record/record_words.h"
#include "core/record/recording_reader.h"
#include "core/record/recording_writer.h"
#include "tests/core/record/sample_run.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

std::filesystem::path onlySegment(const std::filesystem::path& folder) {
  std::filesystem::path found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CHECK(found.empty());
    found = entry.path();
  }
  return found;
}

}  // namespace

TEST_CASE("every event comes back as it was written") {
  const TempFolder folder;
  const auto events = sampleRun();
  {
    auto writer = RecordingWriter::create(folder / "run.slrun");
    REQUIRE(writer);
    for (const Event& event : events) writer->add(event);
    CHECK(writer->flush());
  }
  auto reader = RecordingReader::open(folder / "run.slrun");
  REQUIRE(reader);
  const auto read = readAll(*reader);
  REQUIRE(read.size() == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) CHECK(same(read[i], events[i]));
  CHECK(reader->ended());
  CHECK(reader->note().empty());
  CHECK_FALSE(reader->isBeingWritten());
  REQUIRE(reader->recorder());
  CHECK(*reader->recorder() == thisProcess());
  // One segment is a recording by itself, too.
  auto segment = RecordingReader::open(onlySegment(folder / "run.slrun"));
  REQUIRE(segment);
  CHECK(readAll(*segment).size() == events.size());
  CHECK_FALSE(RecordingWriter::create(folder / "run.slrun"));
}

TEST_CASE("a segment that grows byte by byte yields every event once, as soon as it is whole") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = segmentOf(events);
  const auto path = recordingOf(folder / "run.slrun", {""});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  std::ofstream file(path / "host-0.slseg", std::ios::binary | std::ios::app);
  std::vector<Event> read;
  for (const char byte : bytes) {
    file << byte << std::flush;
    const auto more = readAll(*reader);
    read.insert(read.end(), more.begin(), more.end());
  }
  REQUIRE(read.size() == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) CHECK(same(read[i], events[i]));
}

TEST_CASE("a recording cut at any byte reads up to its last whole frame, with a note") {
  const TempFolder folder;
  const auto events = sampleRun();
  const std::string bytes = segmentOf(events);
  std::size_t most = 0;
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    CAPTURE(cut);
    const auto path = recordingOf(folder / "run.slrun", {bytes.substr(0, cut)});
    std::vector<Event> read;
    const auto reader = readRecording(path, [&read](const Event& event) { read.push_back(event); });
    REQUIRE(reader);
    CHECK_FALSE(reader->note().empty());
    CHECK_FALSE(reader->isDamaged());
    REQUIRE_FALSE(read.empty());
    REQUIRE(std::holds_alternative<RecordingLost>(read.back().what));
    const auto& lost = std::get<RecordingLost>(read.back().what);
    CHECK(lost.says_no_end_first == lost.why.starts_with(words::recordingHasNoEnd()));
    read.pop_back();
    for (std::size_t i = 0; i < read.size(); ++i) CHECK(same(read[i], events[i]));
    CHECK(read.size() >= most);
    most = read.size();
  }
  CHECK(most == events.size() - 1);
}

TEST_CASE("a message of any length comes back whole; what no reader would hold is left out, and that is said") {
  const TempFolder folder;
  Event first = begin(2);
  auto& header = std::get<RunBegin>(first.what);
  for (int i = 0; header.spec_yaml.size() < 5'000'000; ++i) header.spec_yaml += "- " + std::to_string(i) + "\n";
  const LogLine line{0, false, std::string(3'000'000, 'x')};
  {
    auto writer = RecordingWriter::create(folder / "long.slrun");
    REQUIRE(writer);
    writer->add(first);
    writer->add({at(1), line});
    writer->add({at(2), RunEnd{}});
    CHECK(writer->flush());
  }
  auto reader = RecordingReader::open(folder / "long.slrun");
  REQUIRE(reader);
  const auto read = readAll(*reader);
  REQUIRE(read.size() == 3);
  CHECK(std::get<RunBegin>(read[0].what).spec_yaml == header.spec_yaml);
  CHECK(std::get<LogLine>(read[1].what).text == line.text);
  CHECK(reader->note().empty());

  header.spec_yaml.assign(frame::kMostMessage, 'y');
  {
    auto writer = RecordingWriter::create(folder / "longest.slrun");
    REQUIRE(writer);
    writer->add(first);
    const auto flushed = writer->flush();
    REQUIRE_FALSE(flushed);
    CHECK(flushed.error().message.find("The spec (134 MB) was left out of the recording") == 0);
    writer->add({at(2), RunEnd{}});
    CHECK_FALSE(writer->flush());
  }
  auto shorter = RecordingReader::open(folder / "longest.slrun");
  REQUIRE(shorter);
  const auto rest = readAll(*shorter);
  REQUIRE(rest.size() == 3);
  CHECK(std::get<RunBegin>(rest[0].what).world_size == 2);
  CHECK(std::get<RunBegin>(rest[0].what).spec_yaml.empty());
  CHECK(std::get<LogLine>(rest[1].what).text.find("was left out of the recording") != std::string::npos);
  CHECK(shorter->ended());
}

TEST_CASE("other files, folders, FIFOs and other formats are refused in a sentence") {
  const TempFolder folder;
  const auto refusal = [](const std::filesystem::path& path) {
    const auto reader = RecordingReader::open(path);
    return reader ? std::string("none") : reader.error().message;
  };
  spill(folder / "a.yaml", "shardlens: 1\nname: x\n");
  CHECK(refusal(folder / "a.yaml") == "This is not a ShardLens recording.");
  CHECK(refusal(folder.path()) == "This folder is not a recording: it holds no segment (*.slseg).");
  CHECK(refusal(folder / "absent").find("The recording cannot be read: ") == 0);
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  CHECK(refusal(folder / "fifo") == "This is neither a file nor a folder: it cannot be a recording.");
  for (const char format : {'\1', '\3'}) {
    std::string header = frame::fileHeader(frame::Content::Segment);
    header[frame::kMagic.size()] = format;
    spill(folder / "other", header + std::string(100, '\0'));
    CHECK(refusal(folder / "other") ==
          "The recording has format " + std::to_string(format) + "; this program reads format 2.");
  }
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
    auto writer = RecordingWriter::create(path);
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
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  CHECK(readAll(*reader).size() > 10);
  CHECK(reader->note() == "The recording has no end.");
}

TEST_CASE("a reader knows whether somebody still writes, and says when it cannot know") {
  const TempFolder folder;
  const auto noteOf = [&folder](const Recorder& recorder, bool& is_lost) {
    const auto path = recordingOf(folder / "run.slrun", {segmentOf({begin(1)}, recorder)});
    if (recorder.host == "silent") {
      const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
      std::filesystem::last_write_time(path / "host-0.slseg", long_ago);
    }
    is_lost = false;
    const auto reader = readRecording(
        path, [&](const Event& event) { is_lost = is_lost || std::holds_alternative<RecordingLost>(event.what); });
    REQUIRE(reader);
    return reader->note();
  };
  bool is_lost = false;
  CHECK(noteOf(thisRecorder(), is_lost).empty());
  CHECK_FALSE(is_lost);
  CHECK(noteOf(goneRecorder(), is_lost) == "The recording has no end.");
  CHECK(is_lost);
  // The same number in another PID namespace, or on another host, is another process.
  Recorder elsewhere = goneRecorder();
  elsewhere.pid_namespace = "pid:[1]";
  CHECK(noteOf(elsewhere, is_lost).find("is still running; it wrote within the last 10 seconds.") != std::string::npos);
  CHECK_FALSE(is_lost);
  CHECK(noteOf(farRecorder("node-7"), is_lost).find("the recorder on host node-7") != std::string::npos);
  CHECK_FALSE(is_lost);
  CHECK(noteOf(farRecorder("silent"), is_lost).find("it has written nothing in the last 10 seconds.") !=
        std::string::npos);
  CHECK(is_lost);
  const auto path = recordingOf(folder / "run.slrun", {segmentOf({begin(1)}, elsewhere)});
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  CHECK(readAll(*reader).size() == 1);
  CHECK_FALSE(reader->recorder());
}

TEST_CASE("what is there is not overwritten: its name is said, and what to do") {
  const TempFolder folder;
  const std::string path = (folder / "run.slrun").string();
  const auto first = RecordingWriter::create(path);
  REQUIRE(first);
  const auto again = RecordingWriter::create(path);
  REQUIRE_FALSE(again);
  CHECK(again.error().place.file == path);
  CHECK(again.error().message.find("there is a file or folder of this name") != std::string::npos);
  CHECK(again.error().hint.find("remove " + path + " first") != std::string::npos);
}

TEST_CASE("a recording that cannot even be begun is said to be that, and leaves nothing") {
  const TempFolder folder;
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const rlimit tiny{10, limit.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &tiny) == 0);
  const auto writer = RecordingWriter::create(folder / "run.slrun");
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  (void)std::signal(SIGXFSZ, before);
  REQUIRE_FALSE(writer);
  CHECK(writer.error().message == "The recording cannot be created: File too large.");
  CHECK(writer.error().code == ErrorCode::Environment);
  CHECK(writer.error().hint.find("nothing was started") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "run.slrun"));
}

TEST_CASE("a segment whose file was removed says so, and leaves the error to whoever has words of its own") {
  const TempFolder folder;
  const auto segment = SegmentFile::make(folder.path(), thisRecorder());
  REQUIRE(segment);
  std::filesystem::remove((*segment)->path());
  errno = 0;
  const auto wrote = (*segment)->write("more");
  CHECK(errno == ENOENT);
  REQUIRE_FALSE(wrote);
  CHECK(wrote.error().message == "The recording stopped here, because its file was removed.");
}

TEST_CASE("times and counts of a recording from elsewhere are within reach of sums") {
  const TempFolder folder;
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  Event first = begin(2);
  first.time_ns = INT64_MAX;
  auto& header = std::get<RunBegin>(first.what);
  header.planned_steps = header.planned_batches = header.nodes = INT64_MAX;
  header.cores = header.started_unix_ns = INT64_MIN;
  const Event tick{INT64_MIN, Tick{}};
  Event record = test::record(1, 0, SL_STEP_BEGIN);
  std::get<RankRecord>(record.what).record.time_ns = INT64_MAX;
  auto reader = RecordingReader::open(recordingOf(folder / "run.slrun", {segmentOf({first, tick, record})}));
  REQUIRE(reader);
  const auto read = readAll(*reader);
  REQUIRE(read.size() >= 3);
  for (const Event& event : read) {
    CHECK(event.time_ns >= -1);
    CHECK(event.time_ns <= kMost);
    if (const auto* begun = std::get_if<RunBegin>(&event.what)) {
      for (const std::int64_t count : {begun->planned_steps, begun->planned_batches, begun->nodes})
        CHECK(count == kMost);
      CHECK(begun->cores == 0);
      CHECK(begun->started_unix_ns == 0);
    }
  }
}

TEST_CASE("sentences about recordings agree in number and say what to do") {
  CHECK(words::bytesDamaged(1, 1) == "1 byte in 1 place is damaged; its content was not read.");
  CHECK(words::recordingCutOff(1) == "The recording is cut off in the middle of a frame; its last byte was not read.");
  CHECK(words::recordingCutOff(1200).find("its last 1\u202f200 bytes were not read.") != std::string::npos);
  for (const Error& error : {words::noRecording("run"), words::noSegments("run"), words::packedInPart("run"),
                             words::otherFormat("run", 2, 1)}) {
    CAPTURE(error.message);
    CHECK(error.message.ends_with("."));
    CHECK(error.place.file == "run");
    CHECK_FALSE(error.hint.empty());
  }
}
