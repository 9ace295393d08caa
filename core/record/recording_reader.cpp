// SPDX-License-Identifier: Apache-2.0
#include "core/record/recording_reader.h"

#include "core/base/text.h"
#include "core/record/record_words.h"

#include <queue>

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

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
  std::sort(found.begin(), found.end());
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
  auto clock = std::find_if(clocks_.begin(), clocks_.end(), [&recorder](const Clock& one) {
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
    may_go_on =
        std::any_of(sources_.begin(), sources_.end(), [](const Source& one) { return !one.exhausted && !one.is_copy; });
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
    return std::find(order.begin(), order.end(), status) - order.begin();
  };
  if (end_ && badness(*end_) >= badness(event)) return;
  end_ = event;
  end_->clock = source.clock;
}

/// A recorder that is gone without an end gives none: how the run ended is then not known, though others finished.
void RecordingReader::endOnce(std::vector<Event>& out) {
  const bool goes_on = std::any_of(sources_.begin(), sources_.end(), [this](const Source& one) {
    return !one.is_copy && (!one.isEmpty() || !one.exhausted || (one.has_begun && !one.has_ended && isWritten(one)));
  });
  if (!end_ || ended_ || goes_on) return;
  ended_ = true;
  auto& end = std::get<RunEnd>(end_->what);
  const bool is_cut_off =
      std::any_of(sources_.begin(), sources_.end(), [this](const Source& one) { return isCutOff(one); });
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
  return !ended_ && std::any_of(sources_.begin(), sources_.end(), [this](const Source& one) { return isWritten(one); });
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
  if (unknown_frames_ > 0) notes.push_back(words::messagesUnknown(unknown_frames_));
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
  if (const auto clock = std::find_if(clocks_.begin(), clocks_.end(), is_guess); clock != clocks_.end()) {
    notes.push_back(words::clocksNotCompared(clocks_.front().host, clock->host));
  }
  for (const Source& source : sources_) {
    if (source.is_foreign) notes.push_back(words::segmentOfAnotherJob(source.name));
    if (source.is_copy) notes.push_back(words::segmentCopied(source.name));
    if (isCutOff(source)) notes.push_back(words::segmentHasNoEnd(source.reader.recorder()->host));
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
