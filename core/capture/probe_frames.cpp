// SPDX-License-Identifier: Apache-2.0
#include "core/capture/probe_frames.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace shardlens::capture {
namespace {

constexpr std::string_view kMark = "\xF5SP\xFA";
constexpr std::size_t kFileHeader = 16;
constexpr std::size_t kFrameHeader = 20;  // mark, length, kind, checksum of these two, checksum of the payload
constexpr std::uint32_t kMostPayload = std::uint32_t{1} << 26;

/// Slicing-by-8: table k has the checksum of each byte with k zero bytes after it.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables crcTables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr CrcTables kCrc = crcTables();

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

void append(std::string& out, std::uint32_t number) {
  std::array<char, sizeof(number)> bytes{};
  std::memcpy(bytes.data(), &number, sizeof(number));
  out.append(bytes.data(), bytes.size());
}

enum class Outcome { Whole, Incomplete, Damaged };

bool holdsBatches(std::uint32_t kind) {
  return kind == static_cast<std::uint32_t>(ProbeKind::Batches) ||
         kind == static_cast<std::uint32_t>(ProbeKind::Contents);
}

/// What `bytes` begin with; a whole frame goes to `frame`.
Outcome parse(std::string_view bytes, bool checks_batches, ProbeFrame& frame) {
  const std::size_t known = std::min(bytes.size(), kMark.size());
  if (bytes.substr(0, known) != kMark.substr(0, known)) return Outcome::Damaged;
  if (bytes.size() < kFrameHeader) return Outcome::Incomplete;
  const std::uint32_t length = numberAt(bytes, 4);
  if (crc32(bytes.substr(4, 8)) != numberAt(bytes, 12) || length > kMostPayload) return Outcome::Damaged;
  if (bytes.size() - kFrameHeader < length) return Outcome::Incomplete;
  frame = {numberAt(bytes, 8), bytes.substr(kFrameHeader, length)};
  if (!checks_batches && holdsBatches(frame.kind)) return Outcome::Whole;
  return crc32(frame.payload) == numberAt(bytes, 16) ? Outcome::Whole : Outcome::Damaged;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    const std::uint32_t low = crc ^ numberAt(bytes, 0);
    const std::uint32_t high = numberAt(bytes, 4);
    crc = kCrc[7][low & 0xFFU] ^ kCrc[6][(low >> 8U) & 0xFFU] ^ kCrc[5][(low >> 16U) & 0xFFU] ^ kCrc[4][low >> 24U] ^
          kCrc[3][high & 0xFFU] ^ kCrc[2][(high >> 8U) & 0xFFU] ^ kCrc[1][(high >> 16U) & 0xFFU] ^ kCrc[0][high >> 24U];
  }
  for (const char c : bytes) crc = kCrc[0][(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

bool isProbeFile(std::string_view bytes) {
  return bytes.size() >= kFileHeader && bytes.starts_with(kProbeMagic) && numberAt(bytes, 8) == kProbeFormat;
}

std::string probeFileHeader() {
  std::string out(kProbeMagic);
  append(out, kProbeFormat);
  append(out, 0);
  return out;
}

std::string probeFrame(ProbeKind kind, std::string_view payload) {
  std::string checked;
  append(checked, static_cast<std::uint32_t>(payload.size()));
  append(checked, static_cast<std::uint32_t>(kind));
  std::string out(kMark);
  out += checked;
  append(out, crc32(checked));
  append(out, crc32(payload));
  return out.append(payload);
}

ProbeFrames::ProbeFrames(std::string_view file, bool checks_batches)
    : rest_(file.substr(std::min(file.size(), kFileHeader))),
      size_(file.size()),
      checks_batches_(checks_batches),
      end_(size_ - rest_.size()) {}

std::optional<ProbeFrame> ProbeFrames::next() {
  std::size_t skipped_of_tail = 0;  // behind a beginning that no end follows, there may be whole frames
  while (!rest_.empty()) {
    ProbeFrame frame;
    const Outcome outcome = parse(rest_, checks_batches_, frame);
    if (outcome == Outcome::Whole) {
      damaged_ += skipped_of_tail;
      begin_ = size_ - rest_.size();
      rest_.remove_prefix(kFrameHeader + frame.payload.size());
      end_ = size_ - rest_.size();
      return frame;
    }
    const std::size_t next = std::min(rest_.find(kMark, 1), rest_.size());
    if (outcome == Outcome::Incomplete || skipped_of_tail > 0) {
      skipped_of_tail += next;
    } else {
      damaged_ += next;
    }
    rest_.remove_prefix(next);
  }
  return std::nullopt;
}

}  // namespace shardlens::capture
