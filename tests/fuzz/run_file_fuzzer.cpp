// SPDX-License-Identifier: Apache-2.0
// Any bytes are a run file, a part of one, or damage; whatever events come out can be reduced. Checksums would keep the
// fuzzer out of the payloads, so the bytes are read twice: as a file, and as the payloads of well-formed frames.
#include "core/diagnose/reducer.h"
#include "core/record/frame.h"
#include "core/record/run_file.h"

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
  (void)readRun("/proc/self/fd/" + std::to_string(file), [&](const Event& event) {
    is_small = is_small && isSmall(event);
    if (is_small) reducer.apply(event);
  });
  const RunState state = reducer.snapshot();
  require(state.elapsed_ns >= 0, "time does not run backwards");
  require(state.ranks.size() == static_cast<std::size_t>(state.world_size), "every rank has a state");
  for (const Verdict& verdict : state.verdicts) require(!verdict.title.empty(), "a verdict has a title");
  close(file);
}

/// Two bytes of kind and length, one of rank, then the payload; again and again.
std::string framesOf(std::string_view bytes) {
  std::string out = frame::fileHeader();
  while (bytes.size() >= 3) {
    const auto kind = static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) % 12);
    const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(bytes[1]), bytes.size() - 3);
    frame::appendRaw(out, kind, static_cast<signed char>(bytes[2]), bytes.substr(3, length));
    bytes.remove_prefix(3 + length);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  readAndReduce(bytes);
  readAndReduce(framesOf(bytes));
  return 0;
}
