// SPDX-License-Identifier: Apache-2.0
// Any bytes are a probe's file, a part of one, or damage. Checksums would keep the fuzzer out of the messages, so the
// bytes are read twice: as a file, and as the payloads of whole frames, of the kind that a byte before each names. What
// comes out is joined and made a spec.
#include "core/capture/facts.h"
#include "core/capture/job_loaders.h"
#include "core/capture/loader_spec.h"
#include "core/capture/probe_frames.h"
#include "core/capture/probe_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace shardlens::capture;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

void read(std::string_view file) {
  std::int64_t batches = 0;
  const ProcessFacts facts = parseProbe(file, [&batches](const BatchFacts& batch) {
    ++batches;
    require(batch.is_opaque || static_cast<std::size_t>(batch.items) == batch.samples.size(), "items are samples");
  });
  std::int64_t recorded = 0;
  for (const PassFacts& pass : facts.passes) recorded += pass.recorded;
  require(recorded == batches, "every batch is of a pass");
  for (const JobLoader& job : loadersOf({facts})) (void)specOf(job, {facts});
}

/// Pieces of the bytes as the payloads of whole frames: a byte for the kind, two for the length.
std::string framed(std::string_view bytes) {
  std::string file = probeFileHeader();
  while (bytes.size() > 3) {
    const auto kind = static_cast<ProbeKind>(static_cast<unsigned char>(bytes[0]) % 11);
    const std::size_t length =
        static_cast<unsigned char>(bytes[1]) + std::size_t{256} * static_cast<unsigned char>(bytes[2]);
    bytes.remove_prefix(3);
    const std::string_view payload = bytes.substr(0, length);
    file += probeFrame(kind, payload);
    bytes.remove_prefix(payload.size());
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  read(framed(bytes));
  return 0;
}
