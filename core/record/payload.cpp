// SPDX-License-Identifier: Apache-2.0
#include "core/record/payload.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace shardlens::payload {
namespace {

using nlohmann::json;

using frame::Kind;

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Takes plain values off the front of a payload; says in ok() whether there was enough.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() < sizeof(T)) return (ok_ = false, value);
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  [[nodiscard]] std::string_view rest() const { return bytes_; }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

/// The value of a key when it has the wanted type, else the fallback: an older or newer writer must not stop a reader.
template <class T>
T valueOf(const nlohmann::json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>) return found->is_string() ? found->get<T>() : fallback;
  if constexpr (std::is_same_v<T, bool>) return found->is_boolean() ? found->get<T>() : fallback;
  if constexpr (std::is_integral_v<T>) return found->is_number_integer() ? found->get<T>() : fallback;
}

constexpr std::size_t kMostFrames = 256;

std::optional<std::int64_t> numberAt(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

void putNumber(json& object, const char* key, const std::optional<std::int64_t>& number) {
  if (number) object[key] = *number;
}

json jsonOf(const QuietSamples& quiet) {
  return {{"since_ns", quiet.since_ns}, {"samples", quiet.samples}, {"there", quiet.there},
          {"file", quiet.place.file},   {"line", quiet.place.line}, {"function", quiet.place.function}};
}

/// Nothing for numbers that cannot be, so that sums and differences of them do not overflow.
std::optional<QuietSamples> quietOf(const json& stack, std::int64_t taken_ns) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  constexpr std::int64_t kLongest = std::int64_t{1} << 60;
  const auto object = stack.find("quiet");
  if (object == stack.end() || !object->is_object()) return std::nullopt;
  QuietSamples quiet;
  quiet.since_ns = valueOf(*object, "since_ns", std::int64_t{-1});
  quiet.samples = valueOf(*object, "samples", std::int64_t{0});
  quiet.there = valueOf(*object, "there", std::int64_t{0});
  quiet.place.function = valueOf(*object, "function", std::string());
  quiet.place.file = valueOf(*object, "file", std::string());
  quiet.place.line = valueOf(*object, "line", std::int64_t{0});
  quiet.place.is_own = true;
  const bool has_times = quiet.since_ns >= 0 && quiet.since_ns <= taken_ns && taken_ns - quiet.since_ns <= kLongest;
  const bool has_counts = quiet.there >= 0 && quiet.there <= quiet.samples && quiet.samples > 0;
  return has_times && has_counts && quiet.samples <= kMost ? std::optional(std::move(quiet)) : std::nullopt;
}

/// A stack as JSON, without its rank; described in resources/doc/run-file.md.
json jsonOf(const RankStack& stack) {
  json object = {{"time_ns", stack.taken_ns}, {"pid", stack.pid}, {"frames", json::array()}};
  putNumber(object, "worker", stack.worker);
  putNumber(object, "owed_by", stack.owed_by);
  putNumber(object, "owed_by_pid", stack.owed_by_pid);
  putNumber(object, "sample", stack.sample);
  if (const auto& exception = stack.exception)
    object["exception"] = {{"text", exception->text}, {"file", exception->file}, {"line", exception->line}};
  if (stack.quiet) object["quiet"] = jsonOf(*stack.quiet);
  for (const StackFrame& frame : stack.frames)
    object["frames"].push_back({{"function", frame.function},
                                {"file", frame.file},
                                {"line", frame.line},
                                {"code", frame.code},
                                {"own", frame.is_own}});
  return object;
}

/// From that. What is missing or of another type stays at its default; frames beyond kMostFrames are left out.
RankStack stackOf(std::int64_t rank, const json& object) {
  RankStack stack;
  stack.rank = rank;
  stack.taken_ns = valueOf(object, "time_ns", std::int64_t{0});
  stack.pid = valueOf(object, "pid", std::int64_t{0});
  stack.worker = numberAt(object, "worker");
  stack.owed_by = numberAt(object, "owed_by");
  stack.owed_by_pid = numberAt(object, "owed_by_pid");
  stack.sample = numberAt(object, "sample");
  const auto exception = object.find("exception");
  if (exception != object.end() && exception->is_object())
    stack.exception = {valueOf(*exception, "text", std::string()), valueOf(*exception, "file", std::string()),
                       valueOf(*exception, "line", std::int64_t{0})};
  stack.quiet = quietOf(object, stack.taken_ns);
  const auto frames = object.find("frames");
  if (frames == object.end() || !frames->is_array()) return stack;
  for (std::size_t i = 0; i < std::min(frames->size(), kMostFrames); ++i) {
    const json& frame = (*frames)[i];
    if (!frame.is_object()) continue;
    stack.frames.push_back({valueOf(frame, "function", std::string()), valueOf(frame, "file", std::string()),
                            valueOf(frame, "line", std::int64_t{0}), valueOf(frame, "code", std::string()),
                            valueOf(frame, "own", false)});
  }
  return stack;
}

/// JSON text of any bytes: what is not UTF-8 (a program may print anything) becomes U+FFFD.
std::string dumped(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string payloadOf(std::int64_t time_ns, const RunBegin& begin) {
  return dumped({{"time_ns", time_ns},
                 {"name", begin.name},
                 {"job_id", begin.job_id},
                 {"command", begin.command},
                 {"spec_yaml", begin.spec_yaml},
                 {"host", begin.host},
                 {"world_size", begin.world_size},
                 {"nodes", begin.nodes},
                 {"cores", begin.cores},
                 {"planned_steps", begin.planned_steps},
                 {"planned_batches", begin.planned_batches},
                 {"started_unix_ns", begin.started_unix_ns},
                 {"reports", begin.reports},
                 {"ends_job", begin.ends_job}});
}

std::string payloadOf(std::int64_t time_ns, const RunEnd& end) {
  return dumped({{"time_ns", time_ns},
                 {"status", static_cast<int>(end.status)},
                 {"exit_code", end.exit_code},
                 {"failure", end.failure}});
}

std::string payloadOf(std::int64_t time_ns, const RunClock& clock) {
  json object = {{"time_ns", time_ns}, {"host", clock.host}};
  if (clock.offset) {
    object["offset_ns"] = clock.offset->offset_ns;
    object["error_ns"] = clock.offset->error_ns;
  }
  return dumped(object);
}

std::string payloadOf(std::int64_t time_ns, const RunStopping& stopping) {
  return dumped({{"time_ns", time_ns}, {"by_user", stopping.by_user}, {"why", stopping.why}});
}

/// Times and counts of a file that somebody else wrote: what is out of reach must not make sums overflow.
constexpr std::int64_t kMostCount = std::int64_t{1} << 61;

std::int64_t saneTime(std::int64_t time_ns) {
  return std::clamp<std::int64_t>(time_ns, -1, kMostCount);
}

std::int64_t countOf(const json& object, const char* key, std::int64_t other) {
  return std::clamp<std::int64_t>(valueOf(object, key, other), 0, kMostCount);
}

RunBegin beginOf(const json& object) {
  RunBegin begin;
  begin.name = valueOf(object, "name", std::string());
  begin.job_id = valueOf(object, "job_id", std::string());
  begin.command = valueOf(object, "command", std::string());
  begin.spec_yaml = valueOf(object, "spec_yaml", std::string());
  begin.host = valueOf(object, "host", std::string());
  begin.world_size = std::clamp<std::int64_t>(valueOf(object, "world_size", std::int64_t{0}), 0, frame::kMostRanks);
  begin.nodes = countOf(object, "nodes", 1);
  begin.cores = countOf(object, "cores", 0);
  begin.planned_steps = countOf(object, "planned_steps", 0);
  begin.planned_batches = countOf(object, "planned_batches", 0);
  begin.started_unix_ns = countOf(object, "started_unix_ns", 0);
  begin.reports = valueOf(object, "reports", true);
  begin.ends_job = valueOf(object, "ends_job", true);
  return begin;
}

RunClock clockOf(const json& object) {
  RunClock clock;
  clock.host = valueOf(object, "host", std::string());
  if (object.contains("offset_ns") && object.contains("error_ns"))
    clock.offset =
        ClockOffset{valueOf(object, "offset_ns", std::int64_t{0}), valueOf(object, "error_ns", std::int64_t{0})};
  return clock;
}

RunEnd endOf(const json& object) {
  const std::int64_t status = valueOf(object, "status", static_cast<std::int64_t>(JobStatus::Failed));
  RunEnd end;
  end.status = status >= 0 && status <= static_cast<std::int64_t>(JobStatus::Unknown) ? static_cast<JobStatus>(status)
                                                                                      : JobStatus::Failed;
  end.exit_code = static_cast<int>(valueOf(object, "exit_code", std::int64_t{0}));
  end.failure = valueOf(object, "failure", std::string());
  return end;
}

/// Begin, Stopping, End, Clock and Stack are JSON: rare, and read by other tools too.
bool parseJson(Kind kind, std::int64_t rank, std::string_view payload, std::vector<Event>& events) {
  const json object = json::parse(payload, nullptr, false);
  if (!object.is_object()) return false;
  const std::int64_t time_ns = saneTime(valueOf(object, "time_ns", std::int64_t{0}));
  if (kind == Kind::Begin) events.push_back({time_ns, beginOf(object)});
  if (kind == Kind::End) events.push_back({time_ns, endOf(object)});
  if (kind == Kind::Clock) events.push_back({time_ns, clockOf(object)});
  if (kind == Kind::Stack) events.push_back({time_ns, stackOf(rank, object)});
  if (kind == Kind::Stopping)
    events.push_back({time_ns, RunStopping{valueOf(object, "by_user", false), valueOf(object, "why", std::string())}});
  return true;
}

bool parseRecords(std::int64_t rank, std::string_view payload, std::vector<Event>& events) {
  if (rank < 0 || payload.size() % sizeof(sl_record) != 0) return false;
  for (Cursor cursor(payload); !cursor.rest().empty();) {
    const auto record = cursor.take<sl_record>();
    events.push_back({saneTime(static_cast<std::int64_t>(record.time_ns)), RankRecord{rank, record}});
  }
  return true;
}

std::optional<Event> eventOf(Kind kind, std::int64_t rank, Cursor cursor) {
  Event event;
  event.time_ns = saneTime(cursor.take<std::int64_t>());
  if (kind == Kind::Slot) {
    event.what = RankSlot{rank, cursor.take<sl_slot>()};
  } else if (kind == Kind::Process) {
    RankProcess process{rank, cursor.take<std::int64_t>(), ProcessState::Running, {}};
    const auto state = cursor.take<std::uint8_t>();
    if (state > static_cast<std::uint8_t>(ProcessState::Gone)) return std::nullopt;
    process.state = static_cast<ProcessState>(state);
    process.host = cursor.rest();
    event.what = process;
  } else if (kind == Kind::Dropped) {
    event.what = RankDropped{rank, cursor.take<std::int64_t>()};
  } else if (kind == Kind::LauncherSays) {
    const auto exit_code = cursor.take<std::int32_t>();
    event.what = LauncherSays{rank, exit_code, cursor.take<std::int32_t>()};
  } else if (kind == Kind::Log) {
    const bool is_error = cursor.take<std::uint8_t>() != 0;
    event.what = LogLine{rank, is_error, std::string(cursor.rest())};
  }
  return cursor.ok() ? std::optional(std::move(event)) : std::nullopt;
}

/// One overload for each thing that is written; the time stands first in every binary payload.
struct Encoder {
  std::int64_t time_ns;

  [[nodiscard]] std::string timed() const {
    std::string bytes;
    put(bytes, time_ns);
    return bytes;
  }
  std::optional<Encoded> operator()(const Tick&) const { return Encoded{Kind::Tick, -1, timed()}; }
  std::optional<Encoded> operator()(const RunBegin& begin) const {
    return Encoded{Kind::Begin, -1, payloadOf(time_ns, begin)};
  }
  std::optional<Encoded> operator()(const RunEnd& end) const { return Encoded{Kind::End, -1, payloadOf(time_ns, end)}; }
  std::optional<Encoded> operator()(const RunStopping& stopping) const {
    return Encoded{Kind::Stopping, -1, payloadOf(time_ns, stopping)};
  }
  std::optional<Encoded> operator()(const RankRecord& record) const {
    return Encoded{Kind::Records, record.rank,
                   std::string(reinterpret_cast<const char*>(&record.record), sizeof(sl_record))};
  }
  std::optional<Encoded> operator()(const RankSlot& slot) const {
    std::string bytes = timed();
    put(bytes, slot.slot);
    return Encoded{Kind::Slot, slot.rank, std::move(bytes)};
  }
  std::optional<Encoded> operator()(const RankProcess& process) const {
    std::string bytes = timed();
    put(bytes, process.pid);
    put(bytes, static_cast<std::uint8_t>(process.state));
    return Encoded{Kind::Process, process.rank, bytes + process.host};
  }
  std::optional<Encoded> operator()(const RankDropped& dropped) const {
    std::string bytes = timed();
    put(bytes, dropped.total);
    return Encoded{Kind::Dropped, dropped.rank, std::move(bytes)};
  }
  std::optional<Encoded> operator()(const LogLine& line) const {
    std::string bytes = timed();
    put(bytes, static_cast<std::uint8_t>(line.is_error));
    return Encoded{Kind::Log, line.rank, bytes + line.text};
  }
  std::optional<Encoded> operator()(const LauncherSays& says) const {
    std::string bytes = timed();
    put(bytes, static_cast<std::int32_t>(says.exit_code));
    put(bytes, static_cast<std::int32_t>(says.signal));
    return Encoded{Kind::LauncherSays, says.rank, std::move(bytes)};
  }
  std::optional<Encoded> operator()(const RunClock& clock) const {
    return Encoded{Kind::Clock, -1, payloadOf(time_ns, clock)};
  }
  std::optional<Encoded> operator()(const RankStack& stack) const {
    return Encoded{Kind::Stack, stack.rank, dumped(jsonOf(stack))};
  }
  std::optional<Encoded> operator()(const RecordingLost&) const { return std::nullopt; }
  std::optional<Encoded> operator()(const FramesDamaged&) const { return std::nullopt; }
  std::optional<Encoded> operator()(const FrameUnknown&) const { return std::nullopt; }
};

/// The objects of the list `key` of a table; nothing when it is none.
std::optional<std::vector<json>> objectsOf(std::string_view bytes, const char* key) {
  constexpr std::size_t kMost = 100'000;
  const json object = json::parse(bytes, nullptr, false);
  const auto list = object.is_object() ? object.find(key) : object.end();
  if (list == object.end() || !list->is_array() || list->size() > kMost) return std::nullopt;
  std::vector<json> objects(list->begin(), list->end());
  const bool are_objects = std::ranges::all_of(objects, &json::is_object);
  return are_objects ? std::optional(std::move(objects)) : std::nullopt;
}

/// Numbers are bounded so that sums of damaged ones do not overflow.
FilePart partOf(const json& object) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 60;
  return {std::clamp<std::int64_t>(valueOf(object, "begin", std::int64_t{0}), 0, kLargest),
          std::clamp<std::int64_t>(valueOf(object, "length", std::int64_t{0}), 0, kLargest)};
}

}  // namespace

std::optional<Encoded> encode(const Event& event) {
  return std::visit(Encoder{event.time_ns}, event.what);
}

std::string encode(const Recorder& recorder) {
  return dumped({{"time_ns", recorder.time_ns},
                 {"unix_ns", recorder.unix_ns},
                 {"host", recorder.host},
                 {"boot", recorder.boot},
                 {"pid_namespace", recorder.pid_namespace},
                 {"pid", recorder.pid},
                 {"start_time", recorder.start_time}});
}

std::optional<Recorder> decodeRecorder(std::string_view bytes) {
  const json object = json::parse(bytes, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Recorder recorder;
  recorder.time_ns = valueOf(object, "time_ns", std::int64_t{0});
  recorder.unix_ns = valueOf(object, "unix_ns", std::int64_t{0});
  recorder.host = valueOf(object, "host", std::string());
  recorder.boot = valueOf(object, "boot", std::string());
  recorder.pid_namespace = valueOf(object, "pid_namespace", std::string());
  recorder.pid = valueOf(object, "pid", std::int64_t{0});
  recorder.start_time = valueOf(object, "start_time", std::int64_t{0});
  return recorder;
}

std::string encode(const std::vector<FilePart>& table) {
  json segments = json::array();
  for (const FilePart& part : table) segments.push_back({{"begin", part.begin}, {"length", part.length}});
  return dumped({{"segments", std::move(segments)}});
}

std::optional<std::vector<FilePart>> decodeTable(std::string_view bytes) {
  const auto segments = objectsOf(bytes, "segments");
  if (!segments) return std::nullopt;
  std::vector<FilePart> table;
  for (const json& segment : *segments) table.push_back(partOf(segment));
  return table;
}

std::string encode(const std::vector<PackedFile>& files) {
  json all = json::array();
  for (const PackedFile& file : files)
    all.push_back({{"name", file.name}, {"begin", file.part.begin}, {"length", file.part.length}});
  return dumped({{"files", std::move(all)}});
}

std::optional<std::vector<PackedFile>> decodeFiles(std::string_view bytes) {
  const auto all = objectsOf(bytes, "files");
  if (!all) return std::nullopt;
  std::vector<PackedFile> files;
  for (const json& file : *all) files.push_back({valueOf(file, "name", std::string()), partOf(file)});
  return files;
}

bool decode(Kind kind, std::int64_t rank, std::string_view bytes, std::vector<Event>& events) {
  const bool needs_rank = kind == Kind::Slot || kind == Kind::Process || kind == Kind::Dropped || kind == Kind::Stack;
  if (needs_rank && rank < 0) return false;
  const bool is_json =
      kind == Kind::Begin || kind == Kind::Stopping || kind == Kind::End || kind == Kind::Clock || kind == Kind::Stack;
  if (is_json) return parseJson(kind, rank, bytes, events);
  if (kind == Kind::Records) return parseRecords(rank, bytes, events);
  auto event = eventOf(kind, rank, Cursor(bytes));
  if (event) events.push_back(std::move(*event));
  return event.has_value();
}

}  // namespace shardlens::payload
