// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/record/recorder.h"
#include "core/record/write_queue.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

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

}  // namespace shardlens
