// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/event.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace shardlens {

/// Writes one segment of a recording (resources/doc/run-file.md): a recording is a folder, and every recorder has a
/// file of its own in it, so that recorders of several hosts need not know of each other. Frames are collected and
/// written whole by flush(), so that whoever follows sees no half ones for long. When the disk refuses, the segment is
/// cut back to its last whole frame, and stays readable.
class RecordingWriter {
 public:
  /// Makes the folder, with this process's segment in it; Io when there is anything of this name already.
  static Result<RecordingWriter> create(const std::filesystem::path& folder);
  /// Adds a segment to a recording that another recorder made.
  static Result<RecordingWriter> join(const std::filesystem::path& folder);
  /// Says that nothing follows.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&& other) noexcept;
  RecordingWriter& operator=(RecordingWriter&& other) noexcept;
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  void add(const Event& event);
  /// Records of one rank, in their order, as one frame.
  void add(std::int64_t rank, std::span<const sl_record> records);
  /// Hands everything added to the operating system. After the first error of the disk nothing more is written, and
  /// every call returns that error. A spec that is too long for any reader is left out: that is an error of every call,
  /// too, but everything else goes on being recorded.
  Result<void> flush();

 private:
  explicit RecordingWriter(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  bool put(const Event& event);

  int fd_ = -1;
  std::string path_;
  std::string pending_;
  std::int64_t written_ = 0;
  Result<void> failure_;
  Result<void> left_out_;
};

}  // namespace shardlens
