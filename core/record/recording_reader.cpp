// SPDX-License-Identifier: Apache-2.0
#include "core/record/recording_reader.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/record/record_words.h"

#include <queue>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>

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

namespace fs = std::filesystem;

/// Recorders write ten times a second. One that cannot be asked and has been silent for so long is gone.
constexpr double kSilenceS = 10;

template <class T>
bool isA(const Event& event) {
  return std::holds_alternative<T>(event.what);
}

/// Whether the shorter file's bytes are the first ones of the longer, as far as the first of them say.
bool beginAlike(const fs::path& one, const fs::path& other) {
  constexpr std::size_t kCompared = std::size_t{64} << 10;
  const auto head = [](const fs::path& path) {
    std::string bytes(kCompared, '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
  };
  const std::string first = head(one);
  const std::string second = head(other);
  const std::size_t both = std::min(first.size(), second.size());
  return both > 0 && first.compare(0, both, second, 0, both) == 0;
}

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
  if (table_ && !table_->empty() && place() >= table_->front().begin) closed_ = true;  // the first segment comes next
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

Result<RecordingReader> RecordingReader::open(const fs::path& path) {
  RecordingReader reader;
  std::error_code code;
  const bool is_folder = fs::is_directory(path, code);
  if (is_folder) reader.folder_ = path;
  if (auto opened = is_folder ? reader.findSegments() : reader.openFile(path); !opened) return opened.error();
  if (reader.sources_.empty() && is_folder) return words::noSegments(path.string());
  return reader;
}

/// A packed file whose table is damaged is read as one long segment: frames are found without it.
Result<void> RecordingReader::openFile(const fs::path& path) {
  auto file = SegmentReader::open(path);
  if (!file) return file.error();
  std::vector<Event> events;
  const bool went_on = file->readMore(events);
  while (file->table() && !file->closed() && file->readMore(events)) {
  }
  if (file->lostFiles()) lost_files_ = words::packedFilesLost(path.string()).message;
  is_packed_ = file->isPacked();
  if (!file->table()) {
    sources_.push_back({*std::move(file), path.filename().string(), std::move(events), 0, !went_on, false, 0});
    return {};
  }
  for (const FilePart& part : *file->table()) {
    auto segment = SegmentReader::open(path, part);
    if (!segment) return segment.error();
    sources_.push_back({*std::move(segment), path.filename().string(), std::move(events), 0, false, false, 0});
    events.clear();
  }
  return {};
}

/// Segments that were not there before: another host may begin to record at any time.
Result<void> RecordingReader::findSegments() {
  std::set<std::string> known;
  for (const Source& source : sources_) known.insert(source.name);
  std::vector<fs::path> found;
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, code)) {
    if (entry.path().extension() == ".slseg" && !known.contains(entry.path().filename().string()))
      found.push_back(entry.path());
  }
  if (code) return words::recordingNotRead(folder_.string(), code.message());
  std::ranges::sort(found);
  for (const fs::path& path : found) {
    auto segment = SegmentReader::open(path);
    if (!segment) return segment.error();
    sources_.push_back({*std::move(segment), path.filename().string(), {}, 0, false, false, 0});
  }
  return {};
}

void RecordingReader::Source::fill() {
  events.clear();
  next = 0;
  do {
    exhausted = !reader.readMore(events);
  } while (events.empty() && !exhausted);
}

/// Where its next event belongs among those of others: the RunBegin before, the RunEnd after everything.
std::int64_t RecordingReader::Source::key(bool begun, std::int64_t shift_ns) const {
  const Event& event = events[next];
  if (!begun && isA<RunBegin>(event)) return std::numeric_limits<std::int64_t>::min();
  if (isA<RunEnd>(event)) return std::numeric_limits<std::int64_t>::max();
  const bool is_sane = event.time_ns >= 0 && event.time_ns < (std::int64_t{1} << 60);
  return is_sane ? event.time_ns + shift_ns : shift_ns;
}

/// Segments of one boot share a clock. Another clock is announced; until somebody has measured how far it is from the
/// first one, its times are shifted by what the wall clocks said when the segments began.
void RecordingReader::place(Source& source) {
  if (source.placed || source.is_copy || !source.reader.recorder()) return;
  source.placed = true;
  const Recorder& recorder = *source.reader.recorder();
  constexpr std::int64_t kSane = std::int64_t{1} << 60;
  const std::int64_t wall = std::clamp(recorder.unix_ns - std::clamp(recorder.time_ns, -kSane, kSane), -kSane, kSane);
  auto clock = std::ranges::find_if(clocks_, [&recorder](const Clock& one) {
    return recorder.boot.empty() ? one.host == recorder.host : one.boot == recorder.boot;
  });
  source.clock = static_cast<std::uint32_t>(clock - clocks_.begin());
  if (clock != clocks_.end()) return;
  if (clocks_.empty()) wall_ns_ = wall;
  clocks_.push_back({recorder.boot, recorder.host, std::clamp(wall - wall_ns_, -kSane, kSane), clocks_.empty()});
  if (source.clock == 0 || source.isEmpty()) return;
  for (Event& event : source.events) {
    if (auto* measured = std::get_if<RunClock>(&event.what)) learn(*measured, source);
  }
  const Event announced{source.events[source.next].time_ns, RunClock{source.clock, recorder.host, std::nullopt}};
  source.events.insert(source.events.begin() + static_cast<std::ptrdiff_t>(source.next), announced);
}

/// A recorder begins one segment at one moment: a second one that says the same, and goes on with the same bytes, is a
/// copy of it. The longer one counts, unless the other one is being read already.
void RecordingReader::leaveOutCopies() {
  std::error_code code;
  const auto size = [&](const Source& source) { return fs::file_size(folder_ / source.name, code); };
  for (Source& source : sources_) {
    if (source.placed || source.is_copy || !source.reader.recorder()) continue;
    for (Source& other : sources_) {
      const bool is_same = &other != &source && !other.is_copy && other.reader.recorder() == source.reader.recorder() &&
                           beginAlike(folder_ / source.name, folder_ / other.name);
      if (!is_same) continue;
      Source& copy = !other.placed && size(other) < size(source) ? other : source;
      copy.is_copy = true;
      copy.events.clear();
      copy.next = 0;
      if (source.is_copy) break;
    }
  }
}

/// The segment that begins the run comes first: its clock is clock 0.
void RecordingReader::moveBeginFirst() {
  if (!clocks_.empty() || job_id_) return;
  std::stable_partition(sources_.begin(), sources_.end(), [](const Source& source) {
    return !source.isEmpty() && isA<RunBegin>(source.events[source.next]);
  });
}

std::vector<Event> RecordingReader::readMore() {
  std::vector<Event> out;
  bool may_go_on = true;
  while (out.empty() && may_go_on && !ended_) {
    if (!folder_.empty()) (void)findSegments();
    for (Source& source : sources_) {
      if (source.isEmpty() && !source.is_copy) source.fill();
    }
    leaveOutCopies();
    moveBeginFirst();
    for (Source& source : sources_) place(source);
    merge(out);
    endOnce(out);
    may_go_on = std::ranges::any_of(sources_, [](const Source& one) { return !one.exhausted && !one.is_copy; });
  }
  return out;
}

/// Takes the earliest event of all again and again, until a segment has to be read on.
void RecordingReader::merge(std::vector<Event>& out) {
  using Head = std::tuple<std::int64_t, std::size_t>;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto offer = [this, &heads](std::size_t i) {
    if (!sources_[i].isEmpty()) heads.emplace(headOf(sources_[i]), i);
  };
  for (std::size_t i = 0; i < sources_.size(); ++i) offer(i);
  while (!heads.empty() && !ended_) {
    const std::size_t i = std::get<1>(heads.top());
    heads.pop();
    Source& source = sources_[i];
    do {
      use(std::move(source.events[source.next++]), source, out);
    } while (heads.empty() && !source.isEmpty() && !ended_);  // nobody to compare with
    if (source.isEmpty() && !source.exhausted) return;        // what it says next may come before what others say
    offer(i);
  }
}

std::int64_t RecordingReader::headOf(const Source& source) const {
  const std::int64_t shift_ns = source.clock < clocks_.size() ? clocks_[source.clock].shift_ns : 0;
  return source.key(job_id_.has_value(), shift_ns);
}

/// A recorder that has compared its clock with the first one says so in its own segment.
void RecordingReader::learn(RunClock& clock, const Source& source) {
  clock.clock = source.clock;
  if (!clock.offset || source.clock == 0 || source.clock >= clocks_.size()) return;
  constexpr std::int64_t kSane = std::int64_t{1} << 60;
  clocks_[source.clock].shift_ns = -std::clamp(clock.offset->offset_ns, -kSane, kSane);
  clocks_[source.clock].is_compared = true;
}

void RecordingReader::use(Event event, Source& source, std::vector<Event>& out) {
  if (source.is_foreign) return;
  if (const auto* begin = std::get_if<RunBegin>(&event.what)) {
    source.is_foreign = job_id_ && *job_id_ != begin->job_id;
    source.has_begun = !source.is_foreign;
    if (job_id_) return;
    job_id_ = begin->job_id;
    if (begin->ends_job) recorder_ = source.reader.recorder();
  } else if (const auto* damage = std::get_if<FramesDamaged>(&event.what)) {
    ++damaged_places_;
    damaged_bytes_ += damage->bytes;
  } else if (auto* clock = std::get_if<RunClock>(&event.what)) {
    learn(*clock, source);
  } else if (isA<FrameUnknown>(event)) {
    ++unknown_frames_;
  } else if (isA<RunEnd>(event)) {
    return useEnd(event, source);
  }
  event.clock = source.clock;
  out.push_back(std::move(event));
}

void RecordingReader::useEnd(const Event& event, Source& source) {
  source.has_ended = true;
  const auto badness = [](const Event& end) {
    const JobStatus status = std::get<RunEnd>(end.what).status;
    const auto order = {JobStatus::Finished, JobStatus::Unknown, JobStatus::Stopped};  // then Failed
    return std::ranges::find(order, status) - order.begin();
  };
  if (end_ && badness(*end_) >= badness(event)) return;
  end_ = event;
  end_->clock = source.clock;
}

/// A recorder that is gone without an end gives none: how the run ended is then not known, though others finished.
void RecordingReader::endOnce(std::vector<Event>& out) {
  const bool goes_on = std::ranges::any_of(sources_, [this](const Source& one) {
    return !one.is_copy && (!one.isEmpty() || !one.exhausted || (one.has_begun && !one.has_ended && isWritten(one)));
  });
  if (!end_ || ended_ || goes_on) return;
  ended_ = true;
  auto& end = std::get<RunEnd>(end_->what);
  const bool is_cut_off = std::ranges::any_of(sources_, [this](const Source& one) { return isCutOff(one); });
  if (is_cut_off && end.status == JobStatus::Finished) end.status = JobStatus::Unknown;
  out.push_back(*end_);
}

bool RecordingReader::isCutOff(const Source& source) const {
  return ended_ && source.has_begun && !source.has_ended && source.reader.recorder();
}

std::vector<std::string> RecordingReader::copies() const {
  std::vector<std::string> names;
  for (const Source& source : sources_) {
    if (source.is_copy) names.push_back(source.name);
  }
  return names;
}

bool RecordingReader::isWritten(const Source& source) const {
  if (is_packed_ || source.reader.closed() || !source.reader.recorder()) return false;
  const Liveness liveness = livenessOf(*source.reader.recorder());
  return liveness == Liveness::Alive || (liveness == Liveness::NotKnown && source.reader.age() < kSilenceS);
}

bool RecordingReader::isBeingWritten() const {
  return !ended_ && std::ranges::any_of(sources_, [this](const Source& one) { return isWritten(one); });
}

std::optional<ProcessId> RecordingReader::recorder() const {
  return recorder_ && !is_packed_ ? reachable(*recorder_) : std::nullopt;
}

/// Damage after which no whole frame came.
std::int64_t RecordingReader::damagedTail() const {
  std::int64_t bytes = 0;
  for (const Source& source : sources_) bytes += source.reader.damagedTail();
  return bytes;
}

/// The bytes of frames that are cut off.
std::int64_t RecordingReader::unfinished() const {
  std::int64_t bytes = 0;
  for (const Source& source : sources_) bytes += source.reader.unfinished();
  return bytes;
}

void RecordingReader::noteDamage(std::vector<std::string>& notes) const {
  const std::int64_t tail = ended_ ? damagedTail() : 0;  // without an end, noteEnd() tells it
  if (damaged_bytes_ + tail > 0)
    notes.push_back(words::bytesDamaged(damaged_bytes_ + tail, damaged_places_ + (tail > 0 ? 1 : 0)));
  if (!lost_files_.empty()) notes.push_back(lost_files_);
  if (unknown_frames_ > 0)
    notes.push_back(unknown_frames_ == 1
                        ? worded("record",
                                 "1 message of a type that this version does not know was skipped: a newer version "
                                 "wrote this recording.")
                        : filled(worded("record",
                                        "%1 of a type that this version does not know were skipped: a newer version "
                                        "wrote this recording."),
                                 wordedCount(unknown_frames_, "message")));
}

void RecordingReader::noteEnd(std::vector<std::string>& notes) const {
  if (ended_) return;
  const std::int64_t rest = unfinished();
  std::string unseen;
  for (const Source& source : sources_) {
    const auto& recorder = source.reader.recorder();
    const bool is_unseen = recorder && !source.reader.closed() && livenessOf(*recorder) == Liveness::NotKnown;
    if (is_unseen) unseen = recorder->host;
  }
  const bool is_written = isBeingWritten();
  if (!is_written) notes.push_back(rest == 0 ? words::recordingHasNoEnd() : words::recordingCutOff(rest));
  if (!unseen.empty() && (is_written || !is_packed_))
    notes.push_back(words::recorderOutOfSight(unseen, is_written, static_cast<std::int64_t>(kSilenceS)));
}

RecordingLost RecordingReader::lost() const {
  std::vector<std::string> before;
  noteDamage(before);
  return {note(), before.empty() && !ended_ && unfinished() == 0 && !isBeingWritten()};
}

std::string RecordingReader::note() const {
  std::vector<std::string> notes;
  noteDamage(notes);
  noteEnd(notes);
  const auto is_guess = [](const Clock& clock) { return !clock.is_compared; };
  if (const auto clock = std::ranges::find_if(clocks_, is_guess); clock != clocks_.end())
    notes.push_back(
        filled(worded("record",
                      "The offset between the clocks of %1 and %2 was not measured: the order of their events follows "
                      "the wall clocks and is uncertain."),
               clocks_.front().host, clock->host));
  for (const Source& source : sources_) {
    if (source.is_foreign)
      notes.push_back(filled(worded("record", "%1 belongs to another job and was left out."), source.name));
    if (source.is_copy)
      notes.push_back(filled(worded("record", "%1 is a copy of another segment and was left out."), source.name));
    if (isCutOff(source))
      notes.push_back(
          filled(worded("record", "The recorder on %1 was ended early: it is not known what its ranks did after that."),
                 source.reader.recorder()->host));
  }
  return join(notes, " ");
}

Result<RecordingReader> readRecording(const fs::path& path, const std::function<void(const Event&)>& use) {
  auto reader = RecordingReader::open(path);
  if (!reader) return reader;
  std::int64_t last_ns = 0;
  for (auto events = reader->readMore(); !events.empty(); events = reader->readMore()) {
    for (const Event& event : events) use(event);
    last_ns = events.back().time_ns;
  }
  if (!reader->ended() && !reader->isBeingWritten()) use({last_ns, reader->lost()});
  return reader;
}

}  // namespace shardlens
