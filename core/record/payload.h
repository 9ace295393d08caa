// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"
#include "core/record/frame.h"
#include "core/record/recorder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// Part of a file: all of it, or the bytes of one segment in a packed recording.
struct FilePart {
  std::int64_t begin = 0;
  std::int64_t length = -1;  ///< negative: to the file's end, which may still grow
};

/// A file in a packed recording that is no segment, such as what a probe wrote.
struct PackedFile {
  std::string name;
  FilePart part;
};

}  // namespace shardlens

/// What the payloads of frames mean: events to bytes and back (resources/doc/run-file.md).
namespace shardlens::payload {

struct Encoded {
  frame::Kind kind = frame::Kind::Tick;
  std::int64_t rank = -1;  ///< -1: not about a single rank
  std::string bytes;
};

/// The payload of an event; nothing for events that only a reader makes.
std::optional<Encoded> encode(const Event& event);
/// Adds the events of a whole payload of a known kind. False when the bytes are not what the kind promises.
bool decode(frame::Kind kind, std::int64_t rank, std::string_view bytes, std::vector<Event>& events);

/// The payload of the first frame of a segment.
std::string encode(const Recorder& recorder);
std::optional<Recorder> decodeRecorder(std::string_view bytes);

/// The payload of a packed file's table: where its segments are, counted from the end of the table's frame.
std::string encode(const std::vector<FilePart>& table);
std::optional<std::vector<FilePart>> decodeTable(std::string_view bytes);

/// The payload of a packed file's list of further files: where they are, counted from the end of that list's frame.
std::string encode(const std::vector<PackedFile>& files);
std::optional<std::vector<PackedFile>> decodeFiles(std::string_view bytes);

}  // namespace shardlens::payload
