// SPDX-License-Identifier: Apache-2.0
#include "core/record/recording_writer.h"

#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/recorder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

Error ioError(const std::string& path, const std::string& what, const std::string& hint) {
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  return Error{ErrorCode::Io, what + ": " + why + ".", {path, 0, 0, {}}, hint};
}

/// "node-1-4711.slseg": two recorders of one folder never have the same, unless their hosts hide their names.
std::string segmentName(const Recorder& recorder, int attempt) {
  std::string name;
  for (const char c : recorder.host) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    name += is_plain ? c : '-';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "host");
  name += "-" + std::to_string(recorder.pid);
  if (attempt > 1) name += "-" + std::to_string(attempt);
  return name + ".slseg";
}

/// A segment of its own for this recorder, in a folder that is there.
Result<std::pair<int, fs::path>> makeSegment(const fs::path& folder, const Recorder& recorder) {
  constexpr int kAttempts = 1000;
  fs::path path;
  int fd = -1;
  for (int attempt = 1; fd < 0 && attempt <= kAttempts; ++attempt) {
    path = folder / segmentName(recorder, attempt);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return ioError(path.string(), "The recording cannot be created", "choose another place with --run-file");
  return std::pair(fd, path);
}

}  // namespace

Result<RecordingWriter> RecordingWriter::create(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0755) != 0) {
    return ioError(folder.string(), "The recording cannot be created", "choose another place with --run-file");
  }
  auto writer = join(folder);
  if (!writer) (void)::rmdir(folder.c_str());
  return writer;
}

Result<RecordingWriter> RecordingWriter::join(const fs::path& folder) {
  const Recorder self = thisRecorder();
  auto made = makeSegment(folder, self);
  if (!made) return made.error();
  RecordingWriter writer(made->first, made->second.string());
  writer.pending_ = frame::fileHeader(frame::Content::Segment);
  frame::append(writer.pending_, frame::Kind::Recorder, -1, payload::encode(self));
  if (auto wrote = writer.flush(); !wrote) {
    (void)::unlink(made->second.c_str());
    return wrote.error();
  }
  return writer;
}

RecordingWriter::~RecordingWriter() {
  if (fd_ < 0) return;
  frame::append(pending_, frame::Kind::Close, -1, {});
  (void)flush();
  ::close(fd_);
}

RecordingWriter::RecordingWriter(RecordingWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      pending_(std::move(other.pending_)),
      written_(other.written_),
      failure_(std::move(other.failure_)),
      left_out_(std::move(other.left_out_)) {}

RecordingWriter& RecordingWriter::operator=(RecordingWriter&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(pending_, other.pending_);
  std::swap(written_, other.written_);
  std::swap(failure_, other.failure_);
  std::swap(left_out_, other.left_out_);
  return *this;
}

void RecordingWriter::add(const Event& event) {
  if (!failure_ || put(event)) return;
  const auto megabytes = [](std::size_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; };
  const auto* begin = std::get_if<RunBegin>(&event.what);
  const std::string what = begin == nullptr ? "One message" : "The spec (" + megabytes(begin->spec_yaml.size()) + ")";
  left_out_ =
      Error{ErrorCode::BadInput,
            what + " was left out of the recording: a message may have " + megabytes(frame::kMostMessage) + " at most.",
            {path_, 0, 0, {}},
            ""};
  if (begin == nullptr) return;
  RunBegin without = *begin;
  without.spec_yaml.clear();
  (void)put({event.time_ns, std::move(without)});
  (void)put({event.time_ns, LogLine{-1, true, left_out_.error().message}});
}

/// False when the event is longer than any reader would take.
bool RecordingWriter::put(const Event& event) {
  const auto encoded = payload::encode(event);
  if (encoded && encoded->bytes.size() > frame::kMostMessage) return false;
  if (encoded) frame::append(pending_, encoded->kind, encoded->rank, encoded->bytes);
  return true;
}

void RecordingWriter::add(std::int64_t rank, std::span<const sl_record> records) {
  if (!failure_) return;
  constexpr std::size_t kMost = frame::kMostPayload / sizeof(sl_record);
  while (!records.empty()) {
    const auto part = records.first(std::min(records.size(), kMost));
    frame::append(pending_, frame::Kind::Records, rank,
                  {reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    records = records.subspan(part.size());
  }
}

Result<void> RecordingWriter::flush() {
  std::size_t done = 0;
  while (failure_ && done < pending_.size()) {
    const ssize_t wrote = ::write(fd_, pending_.data() + done, pending_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      failure_ = ioError(path_, "The recording stopped here, because it cannot be written",
                         "make room on the disk; the job itself goes on");
      // What went in of this batch may end inside a frame: cut it, so that readers see a short recording and no damage.
      if (::ftruncate(fd_, written_) != 0) break;
    } else {
      done += static_cast<std::size_t>(wrote);
    }
  }
  if (failure_) written_ += static_cast<std::int64_t>(done);
  pending_.clear();
  return failure_ ? left_out_ : failure_;
}

}  // namespace shardlens
