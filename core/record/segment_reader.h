// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"
#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/recorder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens {

/// Reads what one recorder wrote, whole or still growing. Damage costs the frames that it hits: the reader continues at
/// the next whole one. Holds at most a few megabytes and one message. The file is open only while it is read: a
/// recording may have more segments than a process may have open files, and network file systems show new content only
/// after a file is opened again.
class SegmentReader {
 public:
  /// Io when it cannot be opened; BadInput when it is no regular file, no segment, or one of another format.
  static Result<SegmentReader> open(const std::filesystem::path& path, FilePart part = {});

  /// Adds the events of the next whole frames, at most a few megabytes. False when there is no whole frame now.
  bool readMore(std::vector<Event>& events);
  /// Whether the recorder has said that nothing follows.
  [[nodiscard]] bool closed() const { return closed_; }
  /// The recorder that wrote it; nothing when that frame is damaged or has not come yet.
  [[nodiscard]] const std::optional<Recorder>& recorder() const { return recorder_; }
  /// Where the segments of a packed recording are; nothing in others.
  [[nodiscard]] const std::optional<std::vector<FilePart>>& table() const { return table_; }
  /// The other files of a packed recording; known with the table, empty in others.
  [[nodiscard]] const std::vector<PackedFile>& files() const { return files_; }
  /// Whether the list of these files is damaged, so that what they held is lost.
  [[nodiscard]] bool lostFiles() const { return lost_files_; }
  [[nodiscard]] bool isPacked() const { return content_ == frame::Content::Packed; }
  /// Bytes read that are not a whole frame yet: cut off, or about to be written.
  [[nodiscard]] std::int64_t unfinished() const;
  /// Bytes among them that cannot be part of a frame.
  [[nodiscard]] std::int64_t damagedTail() const { return skipped_; }
  /// Seconds since the last change of the file.
  [[nodiscard]] double age() const;

 private:
  SegmentReader(std::filesystem::path path, FilePart part) : path_(std::move(path)), part_(part), offset_(part.begin) {}
  [[nodiscard]] std::optional<Error> refusal() const;
  Result<void> fill();
  bool readHeader();
  bool readFrame(std::vector<Event>& events);
  void join(const frame::Parsed& piece, std::vector<Event>& events);
  void message(const frame::Parsed& last, std::string_view bytes, std::vector<Event>& events);
  void tellDamage(std::vector<Event>& events);
  void dropPartial();
  void readTable(const frame::Parsed& last, std::string_view bytes);
  void readFiles(std::string_view bytes);
  [[nodiscard]] std::int64_t place() const;
  [[nodiscard]] bool isBehindHead() const;
  void loseFiles(std::vector<Event>& events);

  std::filesystem::path path_;
  FilePart part_;
  std::int64_t offset_ = 0;  ///< in the file, of the first byte that is not in the buffer
  std::string buffer_;
  std::size_t at_ = 0;
  bool has_header_ = false;
  frame::Content content_ = frame::Content::Segment;
  std::string partial_;           ///< the pieces of a long message so far
  std::uint16_t next_piece_ = 0;  ///< 0: no message is incomplete
  std::uint16_t partial_kind_ = 0;
  std::int64_t skipped_ = 0;  ///< damaged bytes since the last whole frame
  std::int64_t last_ns_ = 0;
  std::optional<Recorder> recorder_;
  std::optional<std::vector<FilePart>> table_;
  std::vector<PackedFile> files_;
  bool lost_files_ = false;
  bool closed_ = false;
};

}  // namespace shardlens
