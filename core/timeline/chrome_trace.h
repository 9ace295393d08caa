// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace shardlens {

/// Writes spans, one by one, in the Chrome trace JSON format that Perfetto and chrome://tracing open: one process per
/// rank, complete events ("X") with microseconds. The file is valid after finish(); cut off before, both programs still
/// open it.
class ChromeTraceWriter {
 public:
  static Result<ChromeTraceWriter> create(const std::filesystem::path& path);
  ~ChromeTraceWriter();
  ChromeTraceWriter(ChromeTraceWriter&& other) noexcept;
  ChromeTraceWriter& operator=(ChromeTraceWriter&& other) noexcept;

  void addRank(std::int64_t rank);
  void addSpan(std::int64_t rank, const Span& span);
  /// Ends the file; the first error of all that was written.
  Result<void> finish();
  [[nodiscard]] std::int64_t spans() const { return spans_; }

 private:
  ChromeTraceWriter(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}
  void separate();

  std::FILE* file_ = nullptr;
  std::string path_;
  std::int64_t events_ = 0;
  std::int64_t spans_ = 0;
};

/// "load", "compute", "wait", "transfer", "unmeasured".
const char* phaseName(Phase phase);

}  // namespace shardlens
