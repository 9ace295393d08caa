// SPDX-License-Identifier: Apache-2.0
// Any bytes are a recording, a part of one, or damage; whatever events come out can be reduced. Checksums would keep
// the fuzzer out of the messages, so the bytes are read three times: as a file, as the messages of a well-formed
// segment, and as the messages of two segments that are packed into one file.
#include "core/diagnose/reducer.h"
#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

using namespace shardlens;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// A world of 100 000 ranks is fine and slow; the fuzzer has no time for it.
bool isSmall(const Event& event) {
  const auto* begin = std::get_if<RunBegin>(&event.what);
  return begin == nullptr || begin->world_size <= 64;
}

void readAndReduce(std::string_view bytes) {
  const int file = memfd_create("run", MFD_CLOEXEC);
  require(file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "a file in memory");
  Reducer reducer;
  bool is_small = true;
  bool is_over = false;
  (void)readRecording("/proc/self/fd/" + std::to_string(file), [&](const Event& event) {
    require(!is_over, "nothing follows the end");
    is_over = std::holds_alternative<RunEnd>(event.what) || std::holds_alternative<RecordingLost>(event.what);
    is_small = is_small && isSmall(event);
    if (is_small) reducer.apply(event);
  });
  const RunState state = reducer.snapshot();
  require(state.elapsed_ns >= 0, "time does not run backwards");
  require(state.ranks.size() == static_cast<std::size_t>(state.world_size), "every rank has a state");
  for (const Verdict& verdict : state.verdicts) require(!verdict.title.empty(), "a verdict has a title");
  close(file);
}

/// Two bytes of kind and length, one of rank, then the message; again and again.
std::string segmentOf(std::string_view bytes) {
  std::string out = frame::fileHeader(frame::Content::Segment);
  while (bytes.size() >= 3) {
    const auto kind = static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) % 17);
    const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(bytes[1]), bytes.size() - 3);
    frame::append(out, kind, static_cast<signed char>(bytes[2]), bytes.substr(3, length));
    bytes.remove_prefix(3 + length);
  }
  return out;
}

std::string packed(const std::string& first, const std::string& second) {
  const auto length = [](const std::string& bytes) { return static_cast<std::int64_t>(bytes.size()); };
  std::string out = frame::fileHeader(frame::Content::Packed);
  frame::append(out, frame::Kind::Table, -1,
                payload::encode(std::vector<FilePart>{{0, length(first)}, {length(first), length(second)}}));
  return out + first + second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  readAndReduce(bytes);
  readAndReduce(segmentOf(bytes));
  readAndReduce(packed(segmentOf(bytes.substr(0, size / 2)), segmentOf(bytes.substr(size / 2))));
  return 0;
}
