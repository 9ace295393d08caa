// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// Writes a run file: a header, then one frame after the other (resources/doc/run-file.md). Frames are collected and
/// written whole by flush(), so that whoever follows the file sees no half ones for long. When the disk refuses, the
/// file is cut back to its last whole frame, and stays readable.
class RunFileWriter {
 public:
  /// Creates the file; Io when it exists already or cannot be written.
  static Result<RunFileWriter> create(const std::filesystem::path& path);
  ~RunFileWriter();
  RunFileWriter(RunFileWriter&& other) noexcept;
  RunFileWriter& operator=(RunFileWriter&& other) noexcept;

  void add(const Event& event);
  /// Records of one rank, in their order, as one frame.
  void add(std::int64_t rank, std::span<const sl_record> records);
  /// Hands everything added to the operating system. After the first error nothing more is written, and every call
  /// returns that error.
  Result<void> flush();

 private:
  explicit RunFileWriter(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  int fd_ = -1;
  std::string path_;
  std::string pending_;
  std::int64_t written_ = 0;
  Result<void> failure_;
};

/// Reads a run file, finished or still growing: readMore() returns what has come since the last call.
class RunFileReader {
 public:
  /// Io when it cannot be opened; BadInput when it is no run file, or one of a newer format.
  static Result<RunFileReader> open(const std::filesystem::path& path);
  ~RunFileReader();
  RunFileReader(RunFileReader&& other) noexcept;
  RunFileReader& operator=(RunFileReader&& other) noexcept;

  /// The events of the next whole frames, in file order, some megabytes at most; empty when there is no whole one now.
  std::vector<Event> readMore();
  /// The RunEnd was read: nothing follows.
  [[nodiscard]] bool ended() const { return ended_; }
  /// The process that writes the file still runs. False before the RunBegin was read.
  [[nodiscard]] bool recorderIsAlive() const;
  /// What is wrong with the part that readMore() did not return: cut off, damaged. Empty when nothing is.
  [[nodiscard]] std::string note() const;
  /// Frames of kinds that this version does not know; they were skipped.
  [[nodiscard]] std::int64_t unknownFrames() const { return unknown_frames_; }

 private:
  explicit RunFileReader(int fd) : fd_(fd) {}
  bool readHeader();
  void fill();
  bool readFrame(std::vector<Event>& events);

  int fd_ = -1;
  std::string buffer_;
  std::size_t at_ = 0;
  std::int64_t offset_ = 0;
  std::int64_t unknown_frames_ = 0;
  std::int64_t recorder_pid_ = 0;
  std::int64_t recorder_start_time_ = 0;
  bool has_header_ = false;
  bool ended_ = false;
  std::string damage_;
};

/// Every event of a recording; ends with a RecordingLost when there is no RunEnd and nobody writes any more. Returns
/// what is wrong with the file's end, in a sentence, or an empty text.
Result<std::string> readRun(const std::filesystem::path& path, const std::function<void(const Event&)>& use);

}  // namespace shardlens
