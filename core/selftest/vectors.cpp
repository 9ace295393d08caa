// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/vectors.h"

#include "core/selftest/replay.h"

#include <algorithm>
#include <fstream>

namespace shardlens::selftest {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> filesOf(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    if (entry->path().extension() == ".jsonl") files.push_back(entry->path());
  }
  const Place place{folder.string(), 0, 0, {}};
  if (code) return Error{ErrorCode::Io, "the folder cannot be read: " + code.message() + ".", place, {}};
  if (files.empty())
    return Error{ErrorCode::BadInput, "there are no *.jsonl files.", place, "name a folder of vectors"};
  std::sort(files.begin(), files.end());
  return files;
}

struct JudgedRow {
  std::pair<std::string, std::string> name;  ///< framework and sampler
  std::string version;
  RowVerdict verdict;
};

/// A row that cannot be read is a failure: a damaged file must not pass as a short one.
JudgedRow judgeLine(const std::string& line, Planner& planner) {
  const Result<VectorRow> row = readRow(line);
  if (!row) return {{"-", "unreadable row"}, {}, failed(row.error().message)};
  return {{row->framework, row->sampler}, row->version, replay(*row, planner)};
}

Result<void> replayFile(const fs::path& path, Summary& summary) {
  std::ifstream in(path);
  Planner planner;
  std::int64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto [name, version, verdict] = judgeLine(line, planner);
    summary.classes[name].add(verdict.outcome);
    const std::string type = planner.takeType();
    if (!type.empty() && verdict.outcome == Outcome::Passed) {
      ++summary.types[type][name.first + " " + name.second];
      summary.versions[type].insert(version);
    }
    if (verdict.outcome == Outcome::Failed && summary.failures.size() < kShownFailures) {
      summary.failures.push_back({path.string(), number, name.second + ": " + verdict.why});
    }
  }
  if (in.eof()) return {};
  return Error{ErrorCode::Io, "the file cannot be read.", Place{path.string(), 0, 0, {}}, {}};
}

}  // namespace

void OutcomeCounts::add(Outcome outcome) {
  ++(outcome == Outcome::Passed ? passed : outcome == Outcome::Failed ? failed : unsupported);
}

OutcomeCounts& OutcomeCounts::operator+=(const OutcomeCounts& other) {
  passed += other.passed;
  failed += other.failed;
  unsupported += other.unsupported;
  return *this;
}

Result<Summary> replayFolder(const fs::path& folder) {
  const auto files = filesOf(folder);
  if (!files) return files.error();
  Summary summary;
  for (const fs::path& file : *files) {
    if (auto done = replayFile(file, summary); !done) return done.error();
  }
  for (const auto& [name, tally] : summary.classes) summary.total += tally;
  return summary;
}

}  // namespace shardlens::selftest
