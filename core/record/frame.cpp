// SPDX-License-Identifier: Apache-2.0
#include "core/record/frame.h"

#define XXH_INLINE_ALL
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace shardlens::frame {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "run files are written as the host's memory has them");

/// What stands before every payload.
struct Header {
  std::uint32_t length = 0;  ///< of the payload
  std::uint16_t kind = 0;
  std::uint16_t zero = 0;
  std::int32_t rank = -1;
  std::uint64_t checksum = 0;  ///< XXH3-64 of the payload, seeded with kind and rank
};

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

std::uint64_t checksumOf(std::string_view payload, std::uint16_t kind, std::int32_t rank) {
  const std::uint64_t seed = (static_cast<std::uint64_t>(kind) << 32) | static_cast<std::uint32_t>(rank);
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

void putFrame(std::string& out, Kind kind, std::int64_t rank, std::string_view payload) {
  appendRaw(out, static_cast<std::uint16_t>(kind), static_cast<std::int32_t>(rank), payload);
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
                 {"started_unix_ns", begin.started_unix_ns},
                 {"recorder_pid", begin.recorder_pid},
                 {"recorder_start_time", begin.recorder_start_time},
                 {"reports", begin.reports}});
}

std::string payloadOf(std::int64_t time_ns, const RunEnd& end) {
  return dumped({{"time_ns", time_ns},
                 {"status", static_cast<int>(end.status)},
                 {"exit_code", end.exit_code},
                 {"failure", end.failure}});
}

std::string payloadOf(std::int64_t time_ns, const RunClock& clock) {
  json object = {{"time_ns", time_ns}, {"clock", clock.clock}, {"host", clock.host}};
  if (clock.offset) {
    object["offset_ns"] = clock.offset->offset_ns;
    object["error_ns"] = clock.offset->error_ns;
  }
  return dumped(object);
}

std::string payloadOf(std::int64_t time_ns, const RunStopping& stopping) {
  return dumped({{"time_ns", time_ns}, {"by_user", stopping.by_user}, {"why", stopping.why}});
}

/// The value of a key when it has the wanted type, else the fallback: an older or newer writer must not stop a reader.
template <class T>
T get(const json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>) return found->is_string() ? found->get<T>() : fallback;
  if constexpr (std::is_same_v<T, bool>) return found->is_boolean() ? found->get<T>() : fallback;
  if constexpr (std::is_integral_v<T>) return found->is_number_integer() ? found->get<T>() : fallback;
}

RunBegin beginOf(const json& object) {
  RunBegin begin;
  begin.name = get(object, "name", std::string());
  begin.job_id = get(object, "job_id", std::string());
  begin.command = get(object, "command", std::string());
  begin.spec_yaml = get(object, "spec_yaml", std::string());
  begin.host = get(object, "host", std::string());
  begin.world_size = std::clamp<std::int64_t>(get(object, "world_size", std::int64_t{0}), 0, kMostRanks);
  begin.nodes = get(object, "nodes", std::int64_t{1});
  begin.cores = get(object, "cores", std::int64_t{0});
  begin.planned_steps = get(object, "planned_steps", std::int64_t{0});
  begin.started_unix_ns = get(object, "started_unix_ns", std::int64_t{0});
  begin.recorder_pid = get(object, "recorder_pid", std::int64_t{0});
  begin.recorder_start_time = get(object, "recorder_start_time", std::int64_t{0});
  begin.reports = get(object, "reports", true);
  return begin;
}

RunClock clockOf(const json& object) {
  RunClock clock;
  clock.clock = get(object, "clock", std::uint32_t{0});
  clock.host = get(object, "host", std::string());
  if (object.contains("offset_ns") && object.contains("error_ns")) {
    clock.offset = ClockOffset{get(object, "offset_ns", std::int64_t{0}), get(object, "error_ns", std::int64_t{0})};
  }
  return clock;
}

RunEnd endOf(const json& object) {
  const std::int64_t status = get(object, "status", static_cast<std::int64_t>(JobStatus::Failed));
  RunEnd end;
  end.status = status >= 0 && status <= static_cast<std::int64_t>(JobStatus::Stopped) ? static_cast<JobStatus>(status)
                                                                                      : JobStatus::Failed;
  end.exit_code = static_cast<int>(get(object, "exit_code", std::int64_t{0}));
  end.failure = get(object, "failure", std::string());
  return end;
}

/// Begin, Stopping, End and Clock are JSON: rare, and read by other tools too.
bool parseJson(Kind kind, std::string_view payload, std::vector<Event>& events) {
  const json object = json::parse(payload, nullptr, false);
  if (!object.is_object()) return false;
  const auto time_ns = get(object, "time_ns", std::int64_t{0});
  if (kind == Kind::Begin) events.push_back({time_ns, beginOf(object)});
  if (kind == Kind::End) events.push_back({time_ns, endOf(object)});
  if (kind == Kind::Clock) events.push_back({time_ns, clockOf(object)});
  if (kind == Kind::Stopping) {
    events.push_back({time_ns, RunStopping{get(object, "by_user", false), get(object, "why", std::string())}});
  }
  return true;
}

bool parseRecords(std::int64_t rank, std::string_view payload, std::vector<Event>& events) {
  if (rank < 0 || payload.size() % sizeof(sl_record) != 0) return false;
  for (Cursor cursor(payload); !cursor.rest().empty();) {
    const auto record = cursor.take<sl_record>();
    events.push_back({static_cast<std::int64_t>(record.time_ns), RankRecord{rank, record}});
  }
  return true;
}

std::optional<Event> eventOf(Kind kind, std::int64_t rank, Cursor cursor) {
  Event event;
  event.time_ns = cursor.take<std::int64_t>();
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

bool isKnown(std::uint16_t kind) {
  return kind >= static_cast<std::uint16_t>(Kind::Begin) && kind <= static_cast<std::uint16_t>(Kind::Clock);
}

bool parsePayload(const Header& header, std::string_view payload, std::vector<Event>& events) {
  const auto kind = static_cast<Kind>(header.kind);
  if (kind == Kind::Begin || kind == Kind::Stopping || kind == Kind::End || kind == Kind::Clock)
    return parseJson(kind, payload, events);
  if (kind == Kind::Records) return parseRecords(header.rank, payload, events);
  const bool needs_rank = kind == Kind::Slot || kind == Kind::Process || kind == Kind::Dropped;
  if (needs_rank && header.rank < 0) return false;
  auto event = eventOf(kind, header.rank, Cursor(payload));
  if (event) events.push_back(std::move(*event));
  return event.has_value();
}

Header takeHeader(std::string_view bytes) {
  Cursor cursor(bytes);
  Header header;
  header.length = cursor.take<std::uint32_t>();
  header.kind = cursor.take<std::uint16_t>();
  header.zero = cursor.take<std::uint16_t>();
  header.rank = cursor.take<std::int32_t>();
  header.checksum = cursor.take<std::uint64_t>();
  return header;
}

/// One overload for each thing that is written; the time stands first in every binary payload.
struct Writer {
  std::string& out;
  std::int64_t time_ns;

  std::string timed() const {
    std::string payload;
    put(payload, time_ns);
    return payload;
  }
  void operator()(const Tick&) const { putFrame(out, Kind::Tick, -1, timed()); }
  void operator()(const RunBegin& begin) const { putFrame(out, Kind::Begin, -1, payloadOf(time_ns, begin)); }
  void operator()(const RunEnd& end) const { putFrame(out, Kind::End, -1, payloadOf(time_ns, end)); }
  void operator()(const RunStopping& stopping) const {
    putFrame(out, Kind::Stopping, -1, payloadOf(time_ns, stopping));
  }
  void operator()(const RankRecord& record) const { append(out, record.rank, std::span(&record.record, 1)); }
  void operator()(const RankSlot& slot) const {
    std::string payload = timed();
    put(payload, slot.slot);
    putFrame(out, Kind::Slot, slot.rank, payload);
  }
  void operator()(const RankProcess& process) const {
    std::string payload = timed();
    put(payload, process.pid);
    put(payload, static_cast<std::uint8_t>(process.state));
    putFrame(out, Kind::Process, process.rank, payload + process.host);
  }
  void operator()(const RankDropped& dropped) const {
    std::string payload = timed();
    put(payload, dropped.total);
    putFrame(out, Kind::Dropped, dropped.rank, payload);
  }
  void operator()(const LogLine& line) const {
    std::string payload = timed();
    put(payload, static_cast<std::uint8_t>(line.is_error));
    putFrame(out, Kind::Log, line.rank, payload + line.text.substr(0, kMostPayload / 2));
  }
  void operator()(const LauncherSays& says) const {
    std::string payload = timed();
    put(payload, static_cast<std::int32_t>(says.exit_code));
    put(payload, static_cast<std::int32_t>(says.signal));
    putFrame(out, Kind::LauncherSays, says.rank, payload);
  }
  void operator()(const RunClock& clock) const { putFrame(out, Kind::Clock, -1, payloadOf(time_ns, clock)); }
  void operator()(const RecordingLost&) const {}
  void operator()(const FramesDamaged&) const {}
  void operator()(const FrameUnknown&) const {}
};

}  // namespace

std::string fileHeader() {
  std::string out(kMagic);
  put(out, kVersion);
  put(out, std::uint32_t{0});
  return out;
}

void appendRaw(std::string& out, std::uint16_t kind, std::int32_t rank, std::string_view payload) {
  put(out, static_cast<std::uint32_t>(payload.size()));
  put(out, kind);
  put(out, std::uint16_t{0});
  put(out, rank);
  put(out, checksumOf(payload, kind, rank));
  out.append(payload);
}

void append(std::string& out, const Event& event) {
  std::visit(Writer{out, event.time_ns}, event.what);
}

void append(std::string& out, std::int64_t rank, std::span<const sl_record> records) {
  constexpr std::size_t kMost = kMostPayload / sizeof(sl_record);
  while (!records.empty()) {
    const auto part = records.first(std::min(records.size(), kMost));
    putFrame(out, Kind::Records, rank, {reinterpret_cast<const char*>(part.data()), part.size_bytes()});
    records = records.subspan(part.size());
  }
}

Parsed parse(std::string_view bytes, std::vector<Event>& events) {
  if (bytes.size() < kHeader) return {};
  const Header header = takeHeader(bytes);
  if (header.length > kMostPayload || header.rank >= kMostRanks) return {Outcome::Damaged, 0};
  if (bytes.size() - kHeader < header.length) return {};
  const std::string_view payload = bytes.substr(kHeader, header.length);
  const std::size_t size = kHeader + header.length;
  if (checksumOf(payload, header.kind, header.rank) != header.checksum) return {Outcome::Damaged, 0};
  if (!isKnown(header.kind)) return {Outcome::Unknown, size};
  return parsePayload(header, payload, events) ? Parsed{Outcome::Whole, size} : Parsed{Outcome::Damaged, 0};
}

}  // namespace shardlens::frame
