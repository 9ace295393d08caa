// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// The frames of a recording, as bytes; described in resources/doc/run-file.md. Little-endian, like every host this
/// runs on.
namespace shardlens::frame {

constexpr std::string_view kMagic = "\x89SLRUN\r\n";
constexpr std::uint32_t kFormat = 2;
constexpr std::size_t kFileHeader = 16;  ///< magic, format, content
constexpr std::string_view kSync = "\xF5SL\xFA";
constexpr std::size_t kHeader = 28;  ///< of a frame: sync mark, length, kind, part, rank, two checksums
constexpr std::size_t kMostPayload = 1 << 20;
/// A message may be cut into many frames; no reader holds more of one message than this.
constexpr std::size_t kMostMessage = std::size_t{128} << 20;
constexpr std::int64_t kMostRanks = 100'000;  ///< as in the spec: a damaged number must not make us allocate the world

/// What a file holds after its header.
enum class Content : std::uint32_t {
  Segment = 0,  ///< what one recorder wrote
  Packed = 1,   ///< a Table, perhaps Files, then whole segments one after the other, then those files
};

enum class Kind : std::uint16_t {
  Begin = 1,
  Records = 2,
  Slot = 3,
  Process = 4,
  Dropped = 5,
  Log = 6,
  Stopping = 7,
  End = 8,
  Tick = 9,
  LauncherSays = 10,
  Clock = 11,
  Recorder = 12,  ///< the first frame of every segment
  Close = 13,     ///< the last frame of every whole segment
  Table = 14,     ///< of a packed file: where its segments are
  Files = 15,     ///< of a packed file, right after its table: other files of the recording
  Stack = 16,
};
[[nodiscard]] bool isKnown(std::uint16_t kind);

/// A frame's `part`: which piece of a message it holds, from 0, and whether more pieces follow.
constexpr std::uint16_t kMore = 0x8000;

/// The first bytes of every file.
std::string fileHeader(Content content);

/// Adds a message of any kind, even one that this version does not know, in as many frames as it needs.
void append(std::string& out, std::uint16_t kind, std::int64_t rank, std::string_view message);
inline void append(std::string& out, Kind kind, std::int64_t rank, std::string_view message) {
  append(out, static_cast<std::uint16_t>(kind), rank, message);
}

/// What some bytes begin with.
enum class Outcome : std::uint8_t {
  Whole,
  Incomplete,  ///< a valid beginning; more bytes must come
  Damaged,     ///< no frame begins here
};
struct Parsed {
  Outcome outcome = Outcome::Incomplete;
  std::size_t size = 0;  ///< bytes of the frame, header included, when Whole
  std::uint16_t kind = 0;
  std::uint16_t part = 0;
  std::int32_t rank = -1;
  std::string_view payload;
};
/// Header and payload have a checksum each: a damaged length is never believed.
Parsed parse(std::string_view bytes);

/// How many bytes to skip until a frame may begin: at least 1, at most all of them.
std::size_t distanceToNext(std::string_view bytes);

}  // namespace shardlens::frame
