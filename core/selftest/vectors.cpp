// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/vectors.h"

#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

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
  std::ranges::sort(files);
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
    if (verdict.outcome == Outcome::Failed && summary.failures.size() < kShownFailures)
      summary.failures.push_back({path.string(), number, name.second + ": " + verdict.why});
  }
  if (in.eof()) return {};
  return Error::inFile(ErrorCode::Io, path.string(), "the file cannot be read.");
}

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string right(std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

nlohmann::ordered_json numbers(const OutcomeCounts& tally) {
  return {{"passed", tally.passed}, {"failed", tally.failed}, {"unsupported", tally.unsupported}};
}

/// Which samplers that a spec can name these rows say nothing about; empty when they judge none or all.
std::string notJudged(const Summary& summary) {
  std::vector<std::string> missing;
  for (const SamplerInfo& info : sampling::catalogue()) {
    if (summary.types.count(info.type) == 0) missing.push_back(info.type);
  }
  if (missing.empty() || summary.types.empty()) return {};
  return "no row judges a plan of " + join(missing, ", ") + "\n";
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

std::string textReport(const Summary& summary) {
  std::string out;
  for (const Failure& failure : summary.failures)
    out += failure.file + ":" + std::to_string(failure.line) + ": " + failure.why + "\n";
  if (summary.total.failed > static_cast<std::int64_t>(summary.failures.size()))
    out += "... and " + std::to_string(summary.total.failed - static_cast<std::int64_t>(summary.failures.size())) +
           " more\n";
  std::size_t first = 9;
  std::size_t second = 7;
  for (const auto& [name, tally] : summary.classes) {
    first = std::max(first, name.first.size());
    second = std::max(second, name.second.size());
  }
  out += (out.empty() ? "" : "\n") + left("framework", first) + "  " + left("sampler", second) +
         "   passed   failed  unsupported\n";
  for (const auto& [name, tally] : summary.classes)
    out += left(name.first, first) + "  " + left(name.second, second) + right(tally.passed, 9) +
           right(tally.failed, 9) + right(tally.unsupported, 13) + "\n";
  return out + notJudged(summary) + std::to_string(summary.total.passed) + " passed, " +
         std::to_string(summary.total.failed) + " failed, " + std::to_string(summary.total.unsupported) +
         " unsupported\n";
}

std::string jsonReport(const Summary& summary) {
  nlohmann::ordered_json report = numbers(summary.total);
  report["samplers"] = nlohmann::ordered_json::array();
  for (const auto& [name, tally] : summary.classes) {
    nlohmann::ordered_json row = {{"framework", name.first}, {"sampler", name.second}};
    row.update(numbers(tally));
    report["samplers"].push_back(row);
  }
  report["failures"] = nlohmann::ordered_json::array();
  for (const Failure& failure : summary.failures)
    report["failures"].push_back({{"file", failure.file}, {"line", failure.line}, {"difference", failure.why}});
  return report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace shardlens::selftest
