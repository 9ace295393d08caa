// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_folder.h"

#include "core/base/file.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <QStandardPaths>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <system_error>

namespace shardlens::ui {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTime = "yyyyMMdd-HHmmss";
constexpr qsizetype kTimeLength = 15;

/// The spec's name as part of a file name.
std::string fileName(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    out += plain ? c : '-';
  }
  if (out.empty() || out.front() == '.') out.insert(0, "run");
  constexpr std::size_t kMost = 80;
  return out.substr(0, kMost);
}

KnownRun knownRun(const fs::path& folder) {
  const RunFolder files{folder};
  KnownRun run;
  run.run_file = QString::fromStdString(files.runFile().string());
  const QString name = QString::fromStdString(folder.filename().string());
  const auto process = files.process();
  run.active = process && isAlive(*process);
  // <name>-<time> or <name>-<time>-<number>
  for (qsizetype at = name.size() - kTimeLength; at > 0 && !run.started.isValid(); --at) {
    run.started = QDateTime::fromString(name.mid(at, kTimeLength), kTime);
    run.name = name.left(at - 1);
  }
  if (!run.started.isValid()) run.name = name;
  return run;
}

}  // namespace

Result<void> RunFolder::writeProcess(const ProcessId& process) const {
  return writeFile(path / "process", std::to_string(process.pid) + " " + std::to_string(process.start_time) + "\n");
}

std::optional<ProcessId> RunFolder::process() const {
  const auto text = readFile(path / "process", 1000);
  if (!text) return std::nullopt;
  std::istringstream in(*text);
  ProcessId process;
  if (!(in >> process.pid >> process.start_time)) return std::nullopt;
  return process;
}

std::string RunFolder::lastWords() const {
  constexpr std::size_t kMost = 16 << 20;
  const auto text = readFile(log(), kMost);
  if (!text) return {};
  std::istringstream in(*text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  const std::string prefix = "shardlens: ";
  return last.starts_with(prefix) ? last.substr(prefix.size()) : last;
}

fs::path runsRoot() {
  const QString chosen = qEnvironmentVariable("SHARDLENS_RUNS");
  if (!chosen.isEmpty()) return chosen.toStdString();
  return (QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/runs").toStdString();
}

Result<RunFolder> makeRunFolder(const fs::path& root, const PipelineSpec& spec) {
  const std::string time = QDateTime::currentDateTime().toString(kTime).toStdString();
  const fs::path wanted = root / (fileName(spec.name) + "-" + time);
  std::error_code error;
  fs::create_directories(root, error);
  fs::path path = wanted;
  for (int number = 2; !error && !fs::create_directory(path, error) && !error; ++number) {
    path = wanted.string() + "-" + std::to_string(number);
  }
  if (error) {
    return Error{ErrorCode::Io,
                 "The folder of the run cannot be made: " + error.message() + ".",
                 {path.string(), 0, 0, {}},
                 "make room there, or set SHARDLENS_RUNS to another folder"};
  }
  RunFolder folder{path};
  if (auto written = writeFile(folder.spec(), yaml::writeSpec(spec, sampling::catalogue())); !written) {
    return written.error();
  }
  return folder;
}

std::vector<KnownRun> knownRuns(const fs::path& root, std::size_t most) {
  std::vector<KnownRun> runs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (fs::exists(RunFolder{entry.path()}.runFile(), error)) runs.push_back(knownRun(entry.path()));
  }
  std::sort(runs.begin(), runs.end(), [](const KnownRun& a, const KnownRun& b) { return a.started > b.started; });
  if (runs.size() > most) runs.resize(most);
  return runs;
}

}  // namespace shardlens::ui
