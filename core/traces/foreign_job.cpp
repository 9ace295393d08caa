// SPDX-License-Identifier: Apache-2.0
#include "core/traces/foreign_job.h"

#include "core/base/file.h"
#include "core/base/parallel.h"
#include "core/base/phrase.h"
#include "core/record/frame.h"
#include "core/traces/readers.h"
#include "core/traces/trace_tree.h"
#include "core/traces/trace_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace shardlens::traces {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  ///< of one file
constexpr int kNewestMajor = 2;                           ///< of Flight Recorder's dumps

enum class Kind { None, FlightRecorder, Ras, Inspector };

std::string headOf(const fs::path& path) {
  std::string head(4096, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

bool holdsOne(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

Kind kindOf(const fs::path& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return Kind::None;  // reading a pipe would wait for its writer
  const std::string head = headOf(path);
  if (isPickle(head)) return Kind::FlightRecorder;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (head[first] != '{' && head[first] != '[')) return Kind::None;
  if (holdsOne(head, {"\"coll_perf\""})) return Kind::Inspector;
  if (holdsOne(head, {"\"communicators\"", "\"communicators_count\""})) return Kind::Ras;
  const bool is_dump = holdsOne(
      head, {"\"pg_config\"", "\"pg_status\"", "\"collective_seq_id\"", "\"profiling_name\"", "\"record_id\""});
  return is_dump ? Kind::FlightRecorder : Kind::None;
}

/// The number at the end of the name, before an extension: "nccl_trace_rank_3", "rank3.json".
std::optional<std::int64_t> rankOf(const fs::path& path) {
  std::string name = path.filename().string();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.back())) == 0) name = path.stem().string();
  std::size_t from = name.size();
  while (from > 0 && std::isdigit(static_cast<unsigned char>(name[from - 1])) != 0) --from;
  std::int64_t rank = 0;
  const auto [end, error] = std::from_chars(name.data() + from, name.data() + name.size(), rank);
  const bool is_number = error == std::errc() && from < name.size();
  return is_number && rank < frame::kMostRanks ? std::optional(rank) : std::nullopt;
}

std::vector<fs::path> filesIn(const fs::path& path) {
  std::error_code code;
  if (!fs::is_directory(path, code)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, code)) {
    if (entry.is_regular_file(code)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What came of one file.
struct FileReading {
  std::optional<RankTrace> trace;
  std::string note;
};

FileReading readDump(const fs::path& path) {
  const std::string file = path.filename().string();
  const auto rank = rankOf(path);
  if (!rank)
    return {std::nullopt,
            filled(worded("traces", "%1 was not read: its name does not end with the number of a rank."), file)};
  const auto bytes = readFile(path, kMostBytes);
  if (!bytes) return {std::nullopt, words::notRead(file, bytes.error().message)};
  const ParsedTrace parsed = isPickle(*bytes) ? readPickle(*bytes) : readJson(*bytes);
  const bool has_fault = !parsed.fault.what.empty();
  if (!isFlightRecorder(parsed.tree)) {
    return {std::nullopt, has_fault ? words::readUpTo(file, parsed.fault.offset, parsed.fault.what)
                                    : words::notRead(file, words::notATrace())};
  }
  RankTrace trace = readFlightRecorder(parsed.tree);
  trace.rank = *rank;
  trace.file = file;
  trace.is_cut = has_fault;
  return {std::move(trace), has_fault ? words::readUpTo(file, parsed.fault.offset, parsed.fault.what) : std::string()};
}

void noteVersion(ForeignJob& job) {
  for (const RankTrace& trace : job.ranks) {
    int major = 0;
    (void)std::from_chars(trace.version.data(), trace.version.data() + trace.version.size(), major);
    if (major <= kNewestMajor) continue;
    job.notes.push_back(
        filled(worded("traces", "The dumps have version %1, which is newer than this program; it read what it knows."),
               trace.version));
    return;
  }
}

void addNote(ForeignJob& job, std::string note) {
  if (note.empty()) return;
  job.notes.push_back(std::move(note));
  job.is_damaged = true;
}

/// One file a rank.
Result<ForeignJob> readDumps(const std::vector<fs::path>& files, const Work& work) {
  std::vector<FileReading> read(files.size());
  const auto done = inParallel(files.size(), work, [&](std::size_t i, const Work& /*part*/) -> Result<void> {
    read[i] = readDump(files[i]);
    return {};
  });
  if (!done) return done.error();
  ForeignJob job;
  job.source = "PyTorch Flight Recorder";
  for (FileReading& one : read) {
    if (one.trace) job.ranks.push_back(std::move(*one.trace));
    addNote(job, std::move(one.note));
  }
  noteVersion(job);
  return job;
}

/// One status is one moment: of several files the one that NCCL wrote last.
Result<ForeignJob> readStatus(const std::vector<fs::path>& files) {
  ForeignJob newest;
  std::string newest_time;
  std::vector<std::string> notes;
  for (const fs::path& path : files) {
    const std::string file = path.filename().string();
    const auto bytes = readFile(path, kMostBytes);
    if (!bytes) {
      notes.push_back(words::notRead(file, bytes.error().message));
      continue;
    }
    const std::string mended = withCommas(std::string_view(*bytes).substr(std::min(bytes->find('{'), bytes->size())));
    const ParsedTrace parsed = readJson(mended);
    if (!parsed.fault.what.empty()) notes.push_back(words::readUpTo(file, parsed.fault.offset, parsed.fault.what));
    const std::string time(parsed.tree.text(parsed.tree.find(parsed.tree.root, "timestamp")));
    if (!isRas(parsed.tree) || (!newest_time.empty() && time < newest_time)) continue;
    newest = readRas(parsed.tree);
    newest_time = time.empty() ? " " : time;
  }
  for (std::string& note : notes) addNote(newest, std::move(note));
  if (files.size() > 1)
    newest.notes.push_back(
        filled(worded("traces", "Of several states, only the newest is shown, from %1."), newest_time));
  newest.notes.push_back(
      worded("traces",
             "NCCL RAS counts the operations that each rank has launched, and records no times. If all ranks have "
             "launched the same number, a hang does not show."));
  return newest;
}

Result<ForeignJob> readLines(const std::vector<fs::path>& files, const Work& work) {
  InspectorLines lines;
  std::vector<std::string> notes;
  for (const fs::path& path : files) {
    if (work.stopped()) return cancelled();
    const std::string file = path.filename().string();
    const auto bytes = readFile(path, kMostBytes, work);
    if (!bytes) {
      notes.push_back(words::notRead(file, bytes.error().message));
      continue;
    }
    if (const std::size_t fault = lines.add(*bytes); fault != std::string_view::npos)
      notes.push_back(filled(worded("traces", "%1 has lines that were not read, the first of them at byte %2."), file,
                             std::to_string(fault)));
  }
  ForeignJob job = lines.job();
  for (std::string& note : notes) addNote(job, std::move(note));
  return job;
}

}  // namespace

bool isForeignTrace(const fs::path& path) {
  const std::vector<fs::path> files = filesIn(path);
  const bool is_ours =
      std::any_of(files.begin(), files.end(), [](const fs::path& file) { return file.extension() == ".slseg"; });
  return !is_ours &&
         std::any_of(files.begin(), files.end(), [](const fs::path& file) { return kindOf(file) != Kind::None; });
}

Result<ForeignJob> readForeignTrace(const fs::path& path, const Work& work) {
  std::map<Kind, std::vector<fs::path>> files;
  for (const fs::path& file : filesIn(path)) files[kindOf(file)].push_back(file);
  files.erase(Kind::None);
  if (files.empty()) return words::nothingRead(path.string(), words::notATrace());
  // One kind at a time: the one that says the most.
  const auto& [kind, chosen] = *files.begin();
  auto read = kind == Kind::FlightRecorder ? readDumps(chosen, work)
              : kind == Kind::Ras          ? readStatus(chosen)
                                           : readLines(chosen, work);
  if (!read) return read.error();
  ForeignJob job = *std::move(read);
  if (job.ranks.empty() && job.missing.empty())
    return words::nothingRead(path.string(), job.notes.empty() ? words::notATrace() : job.notes.front());
  job.name = path.lexically_normal().filename().string();
  if (job.name.empty()) job.name = path.lexically_normal().parent_path().filename().string();
  if (files.size() > 1)
    job.notes.push_back(
        filled(worded("traces", "Files of other kinds were left out: what is shown comes from %1."), job.source));
  joinRanks(job);
  return job;
}

}  // namespace shardlens::traces
