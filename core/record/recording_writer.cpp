// SPDX-License-Identifier: Apache-2.0
#include "core/record/recording_writer.h"

#include "core/record/frame.h"
#include "core/record/payload.h"
#include "core/record/record_words.h"

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

/// What errno says, in the words of `told`.
Error ioError(const std::string& path, Error (*told)(ErrorCode, const std::string&, const std::string&)) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;  // another name would not help
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  return told(is_full ? ErrorCode::Environment : ErrorCode::Io, path, why);
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

}  // namespace

Result<std::unique_ptr<SegmentFile>> SegmentFile::make(const fs::path& folder, const Recorder& recorder) {
  constexpr int kAttempts = 1000;
  fs::path path;
  int fd = -1;
  for (int attempt = 1; fd < 0 && attempt <= kAttempts; ++attempt) {
    path = folder / segmentName(recorder, attempt);
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return ioError(path.string(), words::recordingNotCreated);
  std::unique_ptr<SegmentFile> file(new SegmentFile(fd, path.string()));
  std::string first = frame::fileHeader(frame::Content::Segment);
  frame::append(first, frame::Kind::Recorder, -1, payload::encode(recorder));
  if (const auto wrote = file->write(first); !wrote) {
    const Error error = ioError(path.string(), words::recordingNotBegun);
    (void)::unlink(path.c_str());
    return error;
  }
  return file;
}

SegmentFile::~SegmentFile() {
  ::close(fd_);
}

Result<void> SegmentFile::write(std::string_view frames) {
  struct stat info {};
  if (::fstat(fd_, &info) == 0 && info.st_nlink == 0) {
    errno = ENOENT;  // for whoever has words of its own
    return words::recordingRemoved(path_);
  }
  for (std::size_t done = 0; done < frames.size();) {
    const ssize_t wrote = ::write(fd_, frames.data() + done, frames.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      Error error = ioError(path_, words::recordingStopped);
      // What went in of these may end inside a frame: cut it, so that readers see a short recording and no damage.
      const int number = errno;
      (void)!::ftruncate(fd_, written_);
      errno = number;
      return error;
    }
    done += static_cast<std::size_t>(wrote);
  }
  written_ += static_cast<std::int64_t>(frames.size());
  return {};
}

namespace fs = std::filesystem;

Result<RecordingWriter> RecordingWriter::create(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0755) != 0) {
    if (errno == EEXIST) return words::recordingIsThere(folder.string());
    const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
    return words::recordingNotCreated(ErrorCode::Io, folder.string(), why);
  }
  auto writer = join(folder);
  if (!writer) (void)::rmdir(folder.c_str());
  return writer;
}

Result<RecordingWriter> RecordingWriter::join(const fs::path& folder) {
  auto file = SegmentFile::make(folder, thisRecorder());
  if (!file) return file.error();
  std::string path = (*file)->path();
  auto writer = onto(*std::move(file), path);
  if (!writer) (void)::unlink(path.c_str());
  return writer;
}

Result<RecordingWriter> RecordingWriter::onto(std::unique_ptr<FrameSink> sink, std::string path,
                                              std::size_t most_waiting) {
  auto queue = WriteQueue::start(std::move(sink));
  if (!queue) return queue.error();
  return RecordingWriter(*std::move(queue), std::move(path), most_waiting);
}

RecordingWriter::~RecordingWriter() {
  if (!queue_) return;
  tellLeftOut();
  frame::append(pending_, frame::Kind::Close, -1, {});
  (void)send();
}

/// Once full, it is so until half of what waits is written: so that there are few gaps, and each is told once.
bool RecordingWriter::hasRoom() {
  const std::size_t waiting = queue_->waiting() + pending_.size();
  if (is_full_ && waiting > most_waiting_ / 2) return false;
  is_full_ = waiting > most_waiting_;
  if (!is_full_) tellLeftOut();
  return !is_full_;
}

void RecordingWriter::tellLeftOut() {
  if (!left_out_.hasNews()) return;
  for (const Event& event : left_out_.news()) (void)put(event);
}

void RecordingWriter::add(const Event& event) {
  if (!failure_) return;
  if (std::holds_alternative<RunEnd>(event.what)) tellLeftOut();  // nothing is told after the end
  if (!LeftOut::isIndispensable(event) && !hasRoom()) return left_out_.event(event);
  if (!put(left_out_.written(event))) putShortened(event);
}

void RecordingWriter::putShortened(const Event& event) {
  const auto* begin = std::get_if<RunBegin>(&event.what);
  const std::size_t spec_bytes = begin == nullptr ? 0 : begin->spec_yaml.size();
  too_long_ = words::messageTooLong(path_, spec_bytes, frame::kMostMessage);
  if (begin == nullptr) return;
  RunBegin without = *begin;
  without.spec_yaml.clear();
  (void)put({event.time_ns, std::move(without)});
  (void)put({event.time_ns, LogLine{LogLine::kOwn, true, too_long_.error().message}});
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
  if (!hasRoom()) return left_out_.records(rank, records);
  constexpr std::size_t kMost = frame::kMostPayload / sizeof(sl_record);
  while (!records.empty()) {
    const auto part = records.first(std::min(records.size(), kMost));
    frame::append(pending_, frame::Kind::Records, rank,
                  {reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    records = records.subspan(part.size());
  }
}

Result<void> RecordingWriter::send() {
  if (!pending_.empty()) queue_->push(std::exchange(pending_, {}));
  return state();
}

Result<void> RecordingWriter::flush() {
  if (!pending_.empty()) queue_->push(std::exchange(pending_, {}));
  queue_->wait();
  return state();
}

Result<void> RecordingWriter::state() {
  if (failure_) failure_ = queue_->failure();
  if (!failure_) return failure_;
  return too_long_ ? left_out_.error(path_) : too_long_;
}

bool LeftOut::isIndispensable(const Event& event) {
  if (const auto* slot = std::get_if<RankSlot>(&event.what)) return slot->slot.phase == SL_PHASE_DONE;
  const auto is_any = [&](auto... one) { return (std::holds_alternative<decltype(one)>(event.what) || ...); };
  return !is_any(RankRecord{}, LogLine{}, RankDropped{}, Tick{});
}

Event LeftOut::written(const Event& event) {
  const auto* dropped = std::get_if<RankDropped>(&event.what);
  if (dropped == nullptr) return event;
  Lost& lost = lost_[dropped->rank];
  lost.in_ring = dropped->total;
  unsaid_.erase(dropped->rank);
  return {event.time_ns, RankDropped{dropped->rank, lost.in_ring + lost.here}, event.clock};
}

void LeftOut::lose(std::int64_t rank, std::int64_t count, std::int64_t time_ns) {
  lost_[rank].here += count;
  records_ += count;
  unsaid_.insert(rank);
  last_ns_ = std::max(last_ns_, time_ns);
}

void LeftOut::records(std::int64_t rank, std::span<const sl_record> records) {
  if (records.empty()) return;
  lose(rank, static_cast<std::int64_t>(records.size()), static_cast<std::int64_t>(records.back().time_ns));
}

void LeftOut::event(const Event& event) {
  last_ns_ = std::max(last_ns_, event.time_ns);
  if (const auto* record = std::get_if<RankRecord>(&event.what)) {
    lose(record->rank, 1, event.time_ns);
  } else if (const auto* dropped = std::get_if<RankDropped>(&event.what)) {
    lost_[dropped->rank].in_ring = dropped->total;
    unsaid_.insert(dropped->rank);
  } else if (const auto* slot = std::get_if<RankSlot>(&event.what)) {
    slots_.insert_or_assign(slot->rank, event);
  } else if (std::holds_alternative<LogLine>(event.what)) {
    ++lines_;
  }
}

std::vector<Event> LeftOut::news() {
  std::vector<Event> events;
  for (auto& [rank, slot] : std::exchange(slots_, {})) events.push_back(std::move(slot));
  for (const std::int64_t rank : std::exchange(unsaid_, {})) {
    const Lost& lost = lost_[rank];
    events.push_back({last_ns_, RankDropped{rank, lost.in_ring + lost.here}});
  }
  const std::int64_t records = records_ - std::exchange(said_records_, records_);
  const std::int64_t lines = lines_ - std::exchange(said_lines_, lines_);
  if (records + lines > 0)
    events.push_back({last_ns_, LogLine{LogLine::kOwn, true, words::leftOutOfRecording(records, lines)}});
  return events;
}

Result<void> LeftOut::error(const std::string& path) const {
  if (records_ + lines_ == 0) return {};
  return words::diskTooSlow(path, records_, lines_);
}

}  // namespace shardlens
