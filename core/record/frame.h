// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The bytes of a run file; described in resources/doc/run-file.md. Little-endian, like every host this runs on.
namespace shardlens::frame {

constexpr std::string_view kMagic = "\x89SLRUN\r\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFileHeader = 16;  ///< magic, version, four bytes of zero
constexpr std::size_t kHeader = 20;      ///< length, kind, rank, checksum of the payload
constexpr std::size_t kMostPayload = 1 << 20;
constexpr std::int64_t kMostRanks = 100'000;  ///< as in the spec: a damaged number must not make us allocate the world

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
};

/// The first bytes of every run file.
std::string fileHeader();

/// Adds one frame to `out`. A RecordingLost is never written.
void append(std::string& out, const Event& event);
void append(std::string& out, std::int64_t rank, std::span<const sl_record> records);

/// A frame of any kind, also of none that this version knows.
void appendRaw(std::string& out, std::uint16_t kind, std::int32_t rank, std::string_view payload);

/// What stands at the front of `bytes`.
enum class Outcome : std::uint8_t { Whole, Incomplete, Damaged, Unknown };
struct Parsed {
  Outcome outcome = Outcome::Incomplete;
  std::size_t size = 0;  ///< bytes of the frame, header included, when Whole or Unknown
};
/// Reads one frame and adds its events. Unknown is a whole frame of a kind that this version does not know.
Parsed parse(std::string_view bytes, std::vector<Event>& events);

}  // namespace shardlens::frame
