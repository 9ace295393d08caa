// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"
#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/recorder.h"

#include <cstdint>
#include <filesystem>
#include <functional>
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

/// Reads a recording, finished or still growing: a folder of segments, a packed file, or one segment by itself. Events
/// of segments with one clock come in the order of their times; hosts whose clocks differ are aligned by their
/// wall clocks, and note() says that this order is uncertain.
class RecordingReader {
 public:
  /// Io when it cannot be opened; BadInput when it is no recording, or one of another format.
  static Result<RecordingReader> open(const std::filesystem::path& path);

  /// The events that have come since the last call, at most a few megabytes per segment; empty when there are none now.
  /// The RunBegin comes once and the RunEnd last, whatever segments they are in. If several recorders began the run,
  /// each has its own end: the worst of these comes once no recorder writes any more. A FramesDamaged or a FrameUnknown
  /// stands for what could not be read.
  std::vector<Event> readMore();
  /// Whether the RunEnd was read: nothing follows.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Whether the recording is still written: the operating system says so or, for a recorder that it cannot see, the
  /// age of the file. False before a segment names its recorder.
  [[nodiscard]] bool isBeingWritten() const;
  /// The process that runs and records the job, when it is one that this process could signal.
  [[nodiscard]] std::optional<ProcessId> recorder() const;
  /// Sentences about what was not read and what is uncertain; empty when there is nothing to say.
  [[nodiscard]] std::string note() const;
  /// What to say about a recording that has no end and is no longer written.
  [[nodiscard]] RecordingLost lost() const;
  /// Names of segments that are copies of others; known once readMore() was called.
  [[nodiscard]] std::vector<std::string> copies() const;
  /// Whether bytes were damaged, so that the recording says less than it once did.
  [[nodiscard]] bool isDamaged() const { return damaged_bytes_ + damagedTail() > 0; }

 private:
  /// One segment with what was read of it and not yet delivered.
  struct Source {
    SegmentReader reader;
    std::string name;
    std::vector<Event> events;
    std::size_t next = 0;
    bool exhausted = false;   ///< there was nothing more at the last attempt
    bool placed = false;      ///< its clock is known
    bool is_foreign = false;  ///< another job wrote it
    bool has_begun = false;   ///< it has a RunBegin of this job,
    bool has_ended = false;   ///< and a RunEnd
    bool is_copy = false;     ///< another segment has the same content
    std::uint32_t clock = 0;

    [[nodiscard]] bool isEmpty() const { return next == events.size(); }
    void fill();
    [[nodiscard]] std::int64_t key(bool begun, std::int64_t shift_ns) const;
  };
  /// The clock of one host since its boot.
  struct Clock {
    std::string boot;
    std::string host;
    std::int64_t shift_ns = 0;  ///< added to its times to compare them with those of others
    bool is_compared = false;   ///< shift_ns is a measured offset, not a guess by the wall clock
  };

  RecordingReader() = default;
  Result<void> openFile(const std::filesystem::path& path);
  Result<void> findSegments();
  void leaveOutCopies();
  void place(Source& source);
  void learn(RunClock& clock, const Source& source);
  [[nodiscard]] std::int64_t headOf(const Source& source) const;
  void moveBeginFirst();
  void merge(std::vector<Event>& out);
  void use(Event event, Source& source, std::vector<Event>& out);
  void useEnd(const Event& event, Source& source);
  void endOnce(std::vector<Event>& out);
  [[nodiscard]] bool isCutOff(const Source& source) const;
  [[nodiscard]] std::int64_t damagedTail() const;
  [[nodiscard]] bool isWritten(const Source& source) const;
  [[nodiscard]] std::int64_t unfinished() const;
  void noteDamage(std::vector<std::string>& notes) const;
  void noteEnd(std::vector<std::string>& notes) const;

  std::filesystem::path folder_;  ///< empty: not a folder
  bool is_packed_ = false;
  std::string lost_files_;  ///< the sentence, when the list of what probes wrote is damaged
  std::vector<Source> sources_;
  std::vector<Clock> clocks_;
  std::int64_t wall_ns_ = 0;           ///< of clock 0: the wall clock minus it
  std::optional<std::string> job_id_;  ///< of the RunBegin
  std::optional<Recorder> recorder_;   ///< of the RunBegin
  std::int64_t damaged_bytes_ = 0;
  std::int64_t damaged_places_ = 0;
  std::int64_t unknown_frames_ = 0;
  std::optional<Event> end_;  ///< the worst RunEnd so far
  bool ended_ = false;        ///< it was handed on
};

/// Every event of a recording; ends with a RecordingLost when there is no RunEnd and the recording is no longer
/// written.
Result<RecordingReader> readRecording(const std::filesystem::path& path, const std::function<void(const Event&)>& use);

}  // namespace shardlens
