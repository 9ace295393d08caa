// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The bytes of a probe's file, described in resources/doc/probe-file.md.
namespace shardlens::capture {

constexpr std::string_view kProbeMagic = "\x89SLPRB\r\n";
constexpr std::uint32_t kProbeFormat = 1;

enum class ProbeKind : std::uint32_t {
  Process = 1,
  Loader = 2,
  Pass = 3,
  Batches = 4,
  News = 5,  ///< how far a pass is
  Trouble = 6,
  Limit = 7,      ///< no more loaders, passes and batches are recorded
  End = 8,        ///< Python ended the process, and everything is written
  Contents = 9,   ///< marks of what the loop got of a stream
  Steps = 10,     ///< optimizer steps that were taken while a pass was read
  Discards = 11,  ///< gradients that were cleared meanwhile before a step took them
};

/// CRC-32 as zlib computes it.
std::uint32_t crc32(std::string_view bytes);

struct ProbeFrame {
  std::uint32_t kind = 0;
  std::string_view payload;
};

/// Whether these bytes begin as a probe's file of a format that this version reads.
bool isProbeFile(std::string_view bytes);

/// The bytes of a whole file with this frame: what the probe writes, for tests.
std::string probeFileHeader();
std::string probeFrame(ProbeKind kind, std::string_view payload);

/// The frames of a file, one after the other. What is damaged is skipped up to the next whole frame and counted; a
/// frame at the end that is not whole is the one that was being written.
class ProbeFrames {
 public:
  /// The bytes of a file, which must outlive this, header included. Without `checks_batches`, damage within batches and
  /// contents is not found: only their heads are read.
  explicit ProbeFrames(std::string_view file, bool checks_batches = true);

  std::optional<ProbeFrame> next();
  [[nodiscard]] std::size_t damagedBytes() const { return damaged_; }
  /// Where in the file the last whole frame begins.
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// Where it ends, or the header of the file.
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  std::string_view rest_;
  std::size_t size_ = 0;
  bool checks_batches_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t damaged_ = 0;
};

}  // namespace shardlens::capture
