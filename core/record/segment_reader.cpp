// SPDX-License-Identifier: Apache-2.0
#include "core/record/segment_reader.h"

#include "core/record/payload.h"
#include "core/record/record_words.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{4} << 20;
constexpr std::size_t kPiece = std::size_t{64} << 10;

Error notRead(const std::filesystem::path& path) {
  return words::recordingNotRead(path.string(), std::generic_category().message(errno));
}

/// A file that is open as long as this lives. Opening a FIFO does not wait for its writer.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool isRegular() const {
    struct stat info {};
    return ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  }

 private:
  int fd_;
};

}  // namespace

Result<SegmentReader> SegmentReader::open(const std::filesystem::path& path, FilePart part) {
  SegmentReader reader(path, part);
  if (auto read = reader.fill(); !read) return read.error();
  if (auto no = reader.refusal()) return *no;
  return reader;
}

/// Why the file's first bytes are none of ours. One damaged byte among them is forgiven when whole frames follow.
std::optional<Error> SegmentReader::refusal() const {
  const std::string_view bytes = buffer_;
  const bool has_frames = bytes.size() > frame::kFileHeader &&
                          frame::parse(bytes.substr(frame::kFileHeader)).outcome == frame::Outcome::Whole;
  if (has_frames) return std::nullopt;
  const std::size_t known = std::min(bytes.size(), frame::kMagic.size());
  if (bytes.substr(0, known) != frame::kMagic.substr(0, known)) return words::noRecording(path_.string());
  if (bytes.size() < frame::kFileHeader) return std::nullopt;
  std::uint32_t format = 0;
  std::memcpy(&format, bytes.data() + frame::kMagic.size(), sizeof(format));
  if (format == frame::kFormat) return std::nullopt;
  return words::otherFormat(path_.string(), format, frame::kFormat);
}

/// Drops what was used and reads on: some megabytes at most, so that a long recording is never in memory as a whole.
Result<void> SegmentReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const OpenFile file(path_);
  if (file.fd() < 0) return notRead(path_);
  if (!file.isRegular()) return words::noFileOrFolder(path_.string());
  while (buffer_.size() < kReadAtOnce) {
    std::size_t wanted = kPiece;
    if (part_.length >= 0) {
      const std::int64_t left = std::max<std::int64_t>(0, part_.begin + part_.length - offset_);
      wanted = std::min(wanted, static_cast<std::size_t>(left));
    }
    const std::size_t before = buffer_.size();
    buffer_.resize(before + wanted);
    const ssize_t got = wanted == 0 ? 0 : ::pread(file.fd(), buffer_.data() + before, wanted, offset_);
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return notRead(path_);
    if (got == 0) return {};
    offset_ += got;
  }
  return {};
}

bool SegmentReader::readHeader() {
  if (has_header_) return true;
  if (buffer_.size() < frame::kFileHeader) return false;
  std::memcpy(&content_, buffer_.data() + frame::kMagic.size() + sizeof(std::uint32_t), sizeof(content_));
  const std::string_view found = std::string_view(buffer_).substr(0, frame::kFileHeader);
  if (found != frame::fileHeader(content_) || content_ > frame::Content::Packed) skipped_ += frame::kFileHeader;
  at_ = frame::kFileHeader;
  return has_header_ = true;
}

bool SegmentReader::readMore(std::vector<Event>& events) {
  (void)fill();  // what cannot be read now may be read later; its absence is told at the end
  if (!readHeader()) return false;
  const std::size_t before = at_;
  while (!closed_ && readFrame(events)) {
  }
  return at_ > before;
}

bool SegmentReader::readFrame(std::vector<Event>& events) {
  const std::string_view bytes = std::string_view(buffer_).substr(at_);
  if (isBehindHead()) closed_ = true;
  if (closed_) return false;
  const frame::Parsed parsed = frame::parse(bytes);
  const bool may_be_read_on = parsed.outcome == frame::Outcome::Incomplete && at_ > 0;
  if (table_ && parsed.outcome != frame::Outcome::Whole && !may_be_read_on) {
    loseFiles(events);
    return false;
  }
  if (parsed.outcome == frame::Outcome::Incomplete) return false;
  if (parsed.outcome == frame::Outcome::Damaged) {
    const std::size_t distance = frame::distanceToNext(bytes);
    dropPartial();
    skipped_ += static_cast<std::int64_t>(distance);
    at_ += distance;
    return true;
  }
  at_ += parsed.size;
  join(parsed, events);
  return true;
}

/// Puts the pieces of a long message together; a message that lacks one is damaged as a whole.
void SegmentReader::join(const frame::Parsed& piece, std::vector<Event>& events) {
  const auto number = static_cast<std::uint16_t>(piece.part & ~frame::kMore);
  const bool fits = number == next_piece_ && (number == 0 || piece.kind == partial_kind_) &&
                    partial_.size() + piece.payload.size() <= frame::kMostMessage;
  if (!fits) dropPartial();
  if (!fits && number != 0) {
    skipped_ += static_cast<std::int64_t>(piece.size);
    return;
  }
  if (piece.part == 0) return message(piece, piece.payload, events);
  partial_.append(piece.payload);
  partial_kind_ = piece.kind;
  next_piece_ = static_cast<std::uint16_t>(number + 1);
  if ((piece.part & frame::kMore) != 0) return;
  const std::string whole = std::exchange(partial_, {});
  next_piece_ = 0;
  message(piece, whole, events);
}

void SegmentReader::dropPartial() {
  skipped_ += static_cast<std::int64_t>(partial_.size());
  partial_ = {};
  next_piece_ = 0;
}

void SegmentReader::message(const frame::Parsed& last, std::string_view bytes, std::vector<Event>& events) {
  tellDamage(events);
  const auto kind = static_cast<frame::Kind>(last.kind);
  if (!frame::isKnown(last.kind)) {
    events.push_back({last_ns_, FrameUnknown{last.kind}});
  } else if (kind == frame::Kind::Recorder) {
    if (!recorder_) recorder_ = payload::decodeRecorder(bytes);
  } else if (kind == frame::Kind::Table) {
    readTable(last, bytes);
  } else if (kind == frame::Kind::Files) {
    readFiles(bytes);
  } else if (kind == frame::Kind::Close) {
    closed_ = true;
  } else if (payload::decode(kind, last.rank, bytes, events)) {
    last_ns_ = events.empty() ? last_ns_ : events.back().time_ns;
  } else {
    skipped_ += static_cast<std::int64_t>(last.size);
    tellDamage(events);
  }
}

/// Places count from the end of the table's frame. Without a table the segments are read one after the other.
void SegmentReader::readTable(const frame::Parsed& last, std::string_view bytes) {
  table_ = payload::decodeTable(bytes);
  if (!table_) skipped_ += static_cast<std::int64_t>(last.size);
  if (!table_) return;
  content_ = frame::Content::Packed;  // the header's word for it may be damaged
  for (FilePart& part : *table_) part.begin += place();
}

/// Only right after the table. Without the table, what the places count from is unknown.
void SegmentReader::readFiles(std::string_view bytes) {
  auto files = table_ ? payload::decodeFiles(bytes) : std::nullopt;
  lost_files_ = !files;
  if (!table_) return;
  files_ = std::move(files).value_or(std::vector<PackedFile>());
  for (PackedFile& file : files_) file.part.begin += place();
  closed_ = true;
}

/// Whether the table has been read, and what comes next is its first segment.
bool SegmentReader::isBehindHead() const {
  return table_ && !table_->empty() && place() >= table_->front().begin;
}

/// The rest of the head is damaged. The segments behind it are read by their places, so none of it is searched for.
void SegmentReader::loseFiles(std::vector<Event>& events) {
  dropPartial();
  const auto rest = static_cast<std::int64_t>(buffer_.size() - at_);
  const std::int64_t head = table_->empty() ? rest : table_->front().begin - place();
  skipped_ += std::clamp<std::int64_t>(head, 0, rest);
  at_ += static_cast<std::size_t>(std::clamp<std::int64_t>(head, 0, rest));
  tellDamage(events);
  lost_files_ = closed_ = true;
}

/// In the file, of the first byte that was not used.
std::int64_t SegmentReader::place() const {
  return offset_ - static_cast<std::int64_t>(buffer_.size() - at_);
}

void SegmentReader::tellDamage(std::vector<Event>& events) {
  if (skipped_ > 0) events.push_back({last_ns_, FramesDamaged{std::exchange(skipped_, 0)}});
}

std::int64_t SegmentReader::unfinished() const {
  return static_cast<std::int64_t>(buffer_.size() - at_ + partial_.size()) + skipped_;
}

double SegmentReader::age() const {
  struct stat info {};
  timespec now{};
  if (::stat(path_.c_str(), &info) != 0 || ::clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec - info.st_mtim.tv_sec) +
         static_cast<double>(now.tv_nsec - info.st_mtim.tv_nsec) / 1e9;
}

}  // namespace shardlens
