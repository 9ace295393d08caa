// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_frames.h"
#include "core/capture/probe_reader.h"

#include <algorithm>
#include <fstream>

namespace shardlens::capture {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 24;

/// What a file holds from `begin` on, at most kMostAtOnce bytes of it.
std::string bytesFrom(const std::filesystem::path& file, std::int64_t begin) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::int64_t there = in ? static_cast<std::int64_t>(in.tellg()) - begin : 0;
  if (there <= 0 || !in.seekg(begin)) return {};
  std::string bytes(std::min(static_cast<std::size_t>(there), kMostAtOnce), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

}  // namespace

bool ProbeTail::more(const UseBatch& use) {
  const std::string bytes = bytesFrom(file_, read_);
  if (bytes.empty()) return false;
  read_ += static_cast<std::int64_t>(bytes.size());
  pending_ += bytes;
  const std::size_t end = continueProbe(pending_, facts_, use);
  const std::size_t header = probeFileHeader().size();
  if (end > header) pending_.erase(header, end - header);
  return bytes.size() == kMostAtOnce;
}

}  // namespace shardlens::capture
