// SPDX-License-Identifier: Apache-2.0
#include "core/record/pack.h"

#include "core/record/frame.h"
#include "tests/core/record/sample_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

std::filesystem::path twoHosts(const std::filesystem::path& folder) {
  std::vector<Event> second;
  addStep(second, 0, 0, 5.5, 1, 1, 9);
  return recordingOf(folder, {segmentOf(second), segmentOf(sampleRun())});
}

void checkSame(const std::vector<Event>& a, const std::vector<Event>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(same(a[i], b[i]));
}

}  // namespace

TEST_CASE("a packed recording reads as its folder does") {
  const TempFolder folder;
  const auto path = twoHosts(folder / "run.slrun");
  REQUIRE(packRecording(path, folder / "packed.slrun"));
  auto whole = RecordingReader::open(path);
  auto packed = RecordingReader::open(folder / "packed.slrun");
  REQUIRE(whole);
  REQUIRE(packed);
  checkSame(readAll(*whole), readAll(*packed));
  CHECK(packed->ended());
  CHECK(packed->note().empty());
  CHECK_FALSE(packed->recorder());
}

TEST_CASE("what probes wrote is packed behind the segments, byte for byte, and no segment notices") {
  const TempFolder folder;
  const auto path = twoHosts(folder / "run.slrun");
  spill(path / "b-2.slprobe", "second\n");
  spill(path / "a-1.slprobe", std::string("first\0", 6));
  spill(path / "notes.txt", "a person's own");
  REQUIRE(packRecording(path, folder / "packed.slrun"));
  auto whole = RecordingReader::open(path);
  auto packed = RecordingReader::open(folder / "packed.slrun");
  REQUIRE(packed);
  checkSame(readAll(*whole), readAll(*packed));
  CHECK(packed->note().empty());
  const auto files = probeFilesOf(folder / "packed.slrun");
  REQUIRE(files);
  REQUIRE(files->size() == 2);
  const std::string bytes = slurp(folder / "packed.slrun");
  const auto part = [&bytes](const RecordedFile& file) {
    return bytes.substr(static_cast<std::size_t>(file.part.begin), static_cast<std::size_t>(file.part.length));
  };
  CHECK((*files)[0].name == "a-1.slprobe");
  CHECK(part((*files)[0]) == std::string("first\0", 6));
  CHECK(part((*files)[1]) == "second\n");
  CHECK(probeFilesOf(path)->size() == 2);
  CHECK_FALSE(probeFilesOf(path / "notes.txt"));
}

TEST_CASE("a recording that is under way is packed as it is; the file is then over") {
  const TempFolder folder;
  auto writer = RecordingWriter::create(folder / "run.slrun");
  REQUIRE(writer);
  writer->add(begin(2));
  REQUIRE(writer->flush());
  REQUIRE(packRecording(folder / "run.slrun", folder / "packed.slrun"));
  auto packed = RecordingReader::open(folder / "packed.slrun");
  REQUIRE(packed);
  CHECK(readAll(*packed).size() == 1);
  CHECK_FALSE(packed->isBeingWritten());
  CHECK(packed->note() == "The recording has no end.");
}

TEST_CASE("damage in a packed file, its table and its list of files included, costs what it hits") {
  const TempFolder folder;
  const auto path = twoHosts(folder / "run.slrun");
  spill(path / "a-1.slprobe", "what a probe wrote");
  REQUIRE(packRecording(path, folder / "packed.slrun"));
  auto whole = RecordingReader::open(path);
  REQUIRE(whole);
  const std::size_t expected = readAll(*whole).size();
  const std::string bytes = slurp(folder / "packed.slrun");
  constexpr std::size_t kProbeBytes = 18;  // at the end; their checksums are in the probe's own frames
  for (std::size_t at_byte = 0; at_byte < bytes.size() - kProbeBytes; ++at_byte) {
    CAPTURE(at_byte);
    std::string damaged = bytes;
    damaged[at_byte] = static_cast<char>(damaged[at_byte] ^ 0x10);
    spill(folder / "damaged.slrun", damaged);
    auto reader = RecordingReader::open(folder / "damaged.slrun");
    REQUIRE(reader);
    std::size_t read = 0;
    for (const Event& event : readAll(*reader)) read += std::holds_alternative<FramesDamaged>(event.what) ? 0 : 1;
    CHECK(read + 1 >= expected);
    CHECK(read <= expected);
    CHECK_FALSE(reader->note().empty());
  }
}

TEST_CASE("a damaged list of files costs the files, is said, and no segment is read twice") {
  const TempFolder folder;
  // No end: a reader goes on to the last byte.
  std::vector<Event> events = sampleRun();
  events.erase(std::remove_if(events.begin(), events.end(),
                              [](const Event& one) { return std::holds_alternative<RunEnd>(one.what); }),
               events.end());
  const auto path = recordingOf(folder / "run.slrun", {segmentOf(events)});
  spill(path / "a-1.slprobe", "what a probe wrote");
  REQUIRE(packRecording(path, folder / "packed.slrun"));
  auto whole = RecordingReader::open(path);
  REQUIRE(whole);
  const std::size_t expected = readAll(*whole).size();
  const std::string bytes = slurp(folder / "packed.slrun");
  const std::size_t first = bytes.find(frame::kSync, bytes.find(frame::kSync) + 1);
  const std::size_t last = bytes.find(frame::kMagic, 1);
  REQUIRE(first < last);
  REQUIRE(last < bytes.size());
  for (std::size_t at_byte = first; at_byte < last; ++at_byte) {
    CAPTURE(at_byte);
    std::string damaged = bytes;
    damaged[at_byte] = static_cast<char>(damaged[at_byte] ^ 0x10);
    spill(folder / "damaged.slrun", damaged);
    auto reader = RecordingReader::open(folder / "damaged.slrun");
    REQUIRE(reader);
    std::size_t read = 0;
    for (const Event& event : readAll(*reader)) read += std::holds_alternative<FramesDamaged>(event.what) ? 0 : 1;
    CHECK(read == expected);
    CHECK(reader->note().find("In this file, the list of what probes wrote is damaged") != std::string::npos);
    CHECK_FALSE(probeFilesOf(folder / "damaged.slrun"));
  }
}

TEST_CASE("what cannot be packed is refused and leaves nothing") {
  const TempFolder folder;
  const auto path = twoHosts(folder / "run.slrun");
  REQUIRE(packRecording(path, folder / "packed.slrun"));
  CHECK_FALSE(packRecording(path, folder / "packed.slrun"));
  CHECK(packRecording(folder / "packed.slrun", folder / "again.slrun").error().code == ErrorCode::Usage);
  CHECK_FALSE(packRecording(folder.path(), folder / "again.slrun"));
  CHECK_FALSE(packRecording(path, folder / "absent" / "packed.slrun"));
  CHECK_FALSE(std::filesystem::exists(folder / "again.slrun"));
}
