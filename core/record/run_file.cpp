// SPDX-License-Identifier: Apache-2.0
#include "core/record/run_file.h"

#include "core/base/process.h"
#include "core/record/frame.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kReadAtOnce = 4 << 20;
constexpr std::size_t kPiece = 64 << 10;

Error ioError(const std::string& path, const std::string& what, const std::string& hint) {
  return Error{ErrorCode::Io, what + ": " + std::strerror(errno) + ".", {path, 0, 0, {}}, hint};
}

}  // namespace

Result<RunFileWriter> RunFileWriter::create(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return ioError(path.string(), "The run file cannot be created", "choose another place with --run-file");
  RunFileWriter writer(fd, path.string());
  writer.pending_ = frame::fileHeader();
  return writer;
}

RunFileWriter::~RunFileWriter() {
  if (fd_ < 0) return;
  (void)flush();
  ::close(fd_);
}

RunFileWriter::RunFileWriter(RunFileWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      pending_(std::move(other.pending_)),
      written_(other.written_),
      failure_(std::move(other.failure_)) {}

RunFileWriter& RunFileWriter::operator=(RunFileWriter&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(pending_, other.pending_);
  std::swap(written_, other.written_);
  std::swap(failure_, other.failure_);
  return *this;
}

void RunFileWriter::add(const Event& event) {
  if (failure_) frame::append(pending_, event);
}

void RunFileWriter::add(std::int64_t rank, std::span<const sl_record> records) {
  if (failure_) frame::append(pending_, rank, records);
}

Result<void> RunFileWriter::flush() {
  std::size_t done = 0;
  while (failure_ && done < pending_.size()) {
    const ssize_t wrote = ::write(fd_, pending_.data() + done, pending_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      failure_ = ioError(path_, "The recording stopped here, because the run file cannot be written",
                         "make room on the disk; the job itself goes on");
      // What went in of this batch may end inside a frame: cut it, so that readers see a short recording and no damage.
      if (::ftruncate(fd_, written_) != 0) break;
    } else {
      done += static_cast<std::size_t>(wrote);
    }
  }
  if (failure_) written_ += static_cast<std::int64_t>(done);
  pending_.clear();
  return failure_;
}

Result<RunFileReader> RunFileReader::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ioError(path.string(), "The run file cannot be read", "");
  RunFileReader reader(fd);
  reader.fill();
  if (!reader.readHeader() && !reader.damage_.empty()) {
    return Error{ErrorCode::BadInput, reader.damage_, {path.string(), 0, 0, {}}, ""};
  }
  return reader;
}

RunFileReader::~RunFileReader() {
  if (fd_ >= 0) ::close(fd_);
}

RunFileReader::RunFileReader(RunFileReader&& other) noexcept {
  *this = std::move(other);
}

RunFileReader& RunFileReader::operator=(RunFileReader&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(buffer_, other.buffer_);
  std::swap(at_, other.at_);
  offset_ = other.offset_;
  unknown_frames_ = other.unknown_frames_;
  recorder_pid_ = other.recorder_pid_;
  recorder_start_time_ = other.recorder_start_time_;
  has_header_ = other.has_header_;
  ended_ = other.ended_;
  std::swap(damage_, other.damage_);
  return *this;
}

/// Magic and version; false when they have not come yet or are not ours.
bool RunFileReader::readHeader() {
  if (has_header_) return true;
  const std::size_t known = std::min(buffer_.size(), frame::kMagic.size());
  if (buffer_.compare(0, known, frame::kMagic, 0, known) != 0)
    return (damage_ = "This is no ShardLens run file.", false);
  if (buffer_.size() < frame::kFileHeader) return false;
  std::uint32_t version = 0;
  std::memcpy(&version, buffer_.data() + frame::kMagic.size(), sizeof(version));
  if (version != frame::kVersion) {
    damage_ = "The run file has format " + std::to_string(version) + "; this program reads format " +
              std::to_string(frame::kVersion) + ".";
    return false;
  }
  at_ = frame::kFileHeader;
  return has_header_ = true;
}

/// Drops what was used and reads on: some megabytes at most, so that a long recording is never in memory as a whole.
void RunFileReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  while (buffer_.size() < kReadAtOnce) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kPiece);
    const ssize_t got = ::pread(fd_, buffer_.data() + before, kPiece, offset_);
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    offset_ += got;
  }
}

bool RunFileReader::readFrame(std::vector<Event>& events) {
  const std::size_t first = events.size();
  const auto parsed = frame::parse(std::string_view(buffer_).substr(at_), events);
  if (parsed.outcome == frame::Outcome::Damaged) damage_ = "A frame is damaged; what follows it was not read.";
  if (parsed.outcome == frame::Outcome::Unknown) ++unknown_frames_;
  at_ += parsed.size;
  for (std::size_t i = first; i < events.size(); ++i) {
    if (const auto* begin = std::get_if<RunBegin>(&events[i].what)) {
      recorder_pid_ = begin->recorder_pid;
      recorder_start_time_ = begin->recorder_start_time;
    }
    ended_ = ended_ || std::holds_alternative<RunEnd>(events[i].what);
  }
  return parsed.size > 0;
}

std::vector<Event> RunFileReader::readMore() {
  std::vector<Event> events;
  bool went_on = true;
  while (events.empty() && went_on && !ended_ && damage_.empty()) {
    fill();
    const std::size_t before = at_;
    if (!readHeader()) break;
    while (!ended_ && damage_.empty() && readFrame(events)) {
    }
    went_on = at_ > before;
  }
  return events;
}

bool RunFileReader::recorderIsAlive() const {
  return recorder_pid_ > 0 &&
         isAlive({static_cast<pid_t>(recorder_pid_), static_cast<std::uint64_t>(recorder_start_time_)});
}

std::string RunFileReader::note() const {
  if (!damage_.empty() || ended_) return damage_;
  const std::size_t rest = buffer_.size() - at_;
  if (rest == 0 && has_header_) return "The recording has no end.";
  return "The recording is cut off inside a frame; its last " + std::to_string(rest) + " bytes were not read.";
}

Result<std::string> readRun(const std::filesystem::path& path, const std::function<void(const Event&)>& use) {
  auto reader = RunFileReader::open(path);
  if (!reader) return reader.error();
  std::int64_t last_ns = 0;
  for (auto events = reader->readMore(); !events.empty(); events = reader->readMore()) {
    for (const Event& event : events) use(event);
    last_ns = events.back().time_ns;
  }
  if (!reader->ended() && !reader->recorderIsAlive()) use({last_ns, RecordingLost{reader->note()}});
  return reader->ended() || !reader->recorderIsAlive() ? reader->note() : std::string();
}

}  // namespace shardlens
