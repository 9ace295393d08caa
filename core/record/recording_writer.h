// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"
#include "core/record/recorder.h"
#include "core/record/write_queue.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// The file of one segment. When the disk refuses, it is cut back to its last whole frame, and stays readable.
class SegmentFile : public FrameSink {
 public:
  /// A new file for this recorder in an existing folder, with the bytes that every segment begins with. Io when it
  /// cannot be made.
  static Result<std::unique_ptr<SegmentFile>> make(const std::filesystem::path& folder, const Recorder& recorder);
  ~SegmentFile() override;
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;

  Result<void> write(std::string_view frames) override;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  SegmentFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
  std::int64_t written_ = 0;
};

/// What a recorder left out of its segment because the disk was too slow, and how the recording says so. Memory is
/// bounded by the world size.
class LeftOut {
 public:
  /// Whether an event must be written however slow the disk is. Such events are few, and no replay is right without
  /// them.
  static bool isIndispensable(const Event& event);

  /// What to write for an event that has room: readers are told one total of lost records for each rank, whichever
  /// process lost them.
  Event written(const Event& event);
  /// Takes note that these were left out.
  void records(std::int64_t rank, std::span<const sl_record> records);
  void event(const Event& event);
  /// Whether something was left out that the recording does not say yet.
  [[nodiscard]] bool hasNews() const { return !unsaid_.empty() || !slots_.empty() || lines_ > said_lines_; }
  /// What makes the recording true again: each rank's newest slot, the totals of lost records, one line for people.
  std::vector<Event> news();
  /// All that was left out, as the error of this file; none when there is nothing.
  [[nodiscard]] Result<void> error(const std::string& path) const;

 private:
  struct Lost {
    std::int64_t in_ring = 0;  ///< as the latest RankDropped said
    std::int64_t here = 0;
  };
  void lose(std::int64_t rank, std::int64_t count, std::int64_t time_ns);

  std::map<std::int64_t, Lost> lost_;
  std::set<std::int64_t> unsaid_;        ///< ranks whose total has changed since it was reported
  std::map<std::int64_t, Event> slots_;  ///< the newest one of each rank that was left out
  std::int64_t records_ = 0;
  std::int64_t lines_ = 0;
  std::int64_t said_records_ = 0;
  std::int64_t said_lines_ = 0;
  std::int64_t last_ns_ = 0;
};

/// Writes one segment of a recording (resources/doc/run-file.md): a recording is a folder, and every recorder has a
/// file of its own in it, so that recorders of several hosts need not know each other. A separate thread writes,
/// whole frames at a time, so that a supervisor never waits for the disk. While the disk is so slow that
/// `kMostWaiting` bytes wait for it, records and output are left out: the recording says how many, and so does every
/// call from then on. What a replay cannot do without is always written.
class RecordingWriter {
 public:
  static constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

  /// Makes the folder, with this process's segment in it; Io when something of this name exists.
  static Result<RecordingWriter> create(const std::filesystem::path& folder);
  /// Adds a segment to a recording that another recorder made.
  static Result<RecordingWriter> join(const std::filesystem::path& folder);
  /// Writes to anything that takes frames; `path` is what errors name.
  static Result<RecordingWriter> onto(std::unique_ptr<FrameSink> sink, std::string path,
                                      std::size_t most_waiting = kMostWaiting);
  /// Says that nothing follows, and waits until everything is written.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&& other) noexcept = default;
  RecordingWriter& operator=(RecordingWriter&& other) = delete;
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  void add(const Event& event);
  /// Records of one rank, in their order, as one frame.
  void add(std::int64_t rank, std::span<const sl_record> records);
  /// Hands everything added to the thread that writes, and does not wait for it. After the first error of the disk
  /// nothing more is written, and every call returns that error. A spec that is too long for any reader, and what was
  /// left out because the disk is too slow, are errors of every call, too, but everything else is still recorded.
  Result<void> send();
  /// Whether nothing more is written because of an error of the disk.
  [[nodiscard]] bool hasStopped() const { return !failure_; }
  /// Like send(), but returns when the operating system has everything.
  Result<void> flush();

 private:
  RecordingWriter(std::unique_ptr<WriteQueue> queue, std::string path, std::size_t most_waiting)
      : queue_(std::move(queue)), path_(std::move(path)), most_waiting_(most_waiting) {}
  [[nodiscard]] bool hasRoom();
  void tellLeftOut();
  bool put(const Event& event);
  void putShortened(const Event& event);
  Result<void> state();

  std::unique_ptr<WriteQueue> queue_;  ///< null when moved away
  std::string path_;
  std::size_t most_waiting_;
  std::string pending_;
  Result<void> failure_;
  Result<void> too_long_;
  LeftOut left_out_;
  bool is_full_ = false;
};

}  // namespace shardlens
