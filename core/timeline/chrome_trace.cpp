// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/chrome_trace.h"

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <utility>

namespace shardlens {

Result<ChromeTraceWriter> ChromeTraceWriter::create(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    return Error{ErrorCode::Io,
                 std::string("The trace cannot be written: ") + std::strerror(errno) + ".",
                 {path.string(), 0, 0, {}},
                 {}};
  }
  std::fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", file);
  return ChromeTraceWriter(file, path.string());
}

ChromeTraceWriter::~ChromeTraceWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

ChromeTraceWriter::ChromeTraceWriter(ChromeTraceWriter&& other) noexcept {
  *this = std::move(other);
}

ChromeTraceWriter& ChromeTraceWriter::operator=(ChromeTraceWriter&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(path_, other.path_);
  events_ = other.events_;
  spans_ = other.spans_;
  return *this;
}

void ChromeTraceWriter::separate() {
  std::fputs(events_++ == 0 ? "\n" : ",\n", file_);
}

void ChromeTraceWriter::addRank(std::int64_t rank) {
  separate();
  std::fprintf(file_,
               R"({"ph": "M", "pid": %)" PRId64 R"(, "name": "process_name", "args": {"name": "rank %)" PRId64 R"("}})",
               rank, rank);
  separate();
  std::fprintf(
      file_, R"({"ph": "M", "pid": %)" PRId64 R"(, "name": "process_sort_index", "args": {"sort_index": %)" PRId64 "}}",
      rank, rank);
}

void ChromeTraceWriter::addSpan(std::int64_t rank, const Span& span) {
  separate();
  ++spans_;
  const std::int64_t length = span.end_ns - span.begin_ns;
  std::fprintf(file_,
               R"({"ph": "X", "pid": %)" PRId64 R"(, "tid": 0, "name": "%s", "ts": %)" PRId64
               ".%03d"
               R"(, "dur": %)" PRId64
               ".%03d"
               R"(, "args": {"epoch": %d, "step": %d}})",
               rank, phaseName(span.phase), span.begin_ns / 1000, static_cast<int>(span.begin_ns % 1000), length / 1000,
               static_cast<int>(length % 1000), span.epoch, span.step);
}

Result<void> ChromeTraceWriter::finish() {
  std::fputs("\n]}\n", file_);
  const bool failed = std::ferror(file_) != 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!failed && closed) return {};
  return Error{ErrorCode::Io,
               std::string("The trace could not be written completely: ") + std::strerror(errno) + ".",
               {path_, 0, 0, {}},
               "free some disk space"};
}

const char* phaseName(Phase phase) {
  switch (phase) {
    case Phase::Load:
      return "load";
    case Phase::Compute:
      return "compute";
    case Phase::Wait:
      return "wait";
    case Phase::Transfer:
      return "transfer";
    case Phase::Unmeasured:
      return "unmeasured";
  }
  return "unmeasured";
}

}  // namespace shardlens
