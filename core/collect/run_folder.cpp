// SPDX-License-Identifier: Apache-2.0
#include "core/collect/run_folder.h"

#include "core/base/file.h"
#include "core/collect/awaited_job.h"
#include "core/collect/collect_words.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <pwd.h>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTime = "-%Y%m%d-%H%M%S";
constexpr std::size_t kTimeLength = 16;

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

/// That holds anything.
std::string lastLine(const fs::path& file) {
  constexpr std::size_t kMost = 16 << 20;
  const auto text = readFile(file, kMost);
  if (!text) return {};
  std::istringstream in(*text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

/// The moment in a text "-20260131-235959", local time; 0 when it is none.
std::int64_t timeIn(const std::string& text) {
  std::tm local{};
  local.tm_isdst = -1;
  const char* const end = strptime(text.c_str(), kTime, &local);
  return end != nullptr && *end == '\0' ? static_cast<std::int64_t>(std::mktime(&local)) : 0;
}

/// In the folder, or where it is said to be.
fs::path recordingOf(const RunFolder& files) {
  std::error_code error;
  if (fs::exists(files.runFile(), error)) return files.runFile();
  const auto text = readFile(files.elsewhere(), 10'000);
  return text ? fs::path(text->substr(0, text->find('\n'))) : fs::path();
}

KnownRun knownRun(const fs::path& folder, fs::path recording) {
  const RunFolder files{folder};
  const auto process = files.process();
  const std::string name = folder.filename().string();
  KnownRun run{std::move(recording), name, 0, process && isAlive(*process)};
  // <name>-<time> or <name>-<time>-<number>
  for (std::size_t at = name.size() - std::min(name.size(), kTimeLength); at > 0 && run.started_s == 0; --at) {
    run.started_s = timeIn(name.substr(at, kTimeLength));
    if (run.started_s != 0) run.name = name.substr(0, at);
  }
  return run;
}

/// Of this user; that of the account where HOME does not name one.
fs::path homeFolder() {
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return home;
  std::array<char, 16384> text{};
  passwd entry{};
  passwd* found = nullptr;
  (void)getpwuid_r(getuid(), &entry, text.data(), text.size(), &found);
  return found != nullptr ? found->pw_dir : "/";
}

/// Notes of recordings that were deleted, or moved, lead nowhere.
void forgetDeleted(const fs::path& root) {
  std::error_code error;
  std::vector<fs::path> gone;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    const RunFolder files{entry.path()};
    if (fs::exists(files.elsewhere(), error) && !fs::exists(recordingOf(files), error)) gone.push_back(entry.path());
  }
  for (const fs::path& folder : gone) fs::remove_all(folder, error);
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
  const std::string why = lastLine(failure());
  return why.empty() ? lastLine(log()) : why;
}

fs::path runsRoot() {
  const auto given = [](const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  if (const std::string chosen = given("SHARDLENS_RUNS"); !chosen.empty()) return chosen;
  const std::string data = given("XDG_DATA_HOME");
  // Others than absolute paths do not count.
  const fs::path base = data.starts_with('/') ? fs::path(data) : homeFolder() / ".local/share";
  return base / "shardlens-studio/runs";
}

std::string runName(const std::string& spec_name) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> stamp{};
  (void)std::strftime(stamp.data(), stamp.size(), kTime, &local);
  return fileName(spec_name) + stamp.data();
}

Result<RunFolder> makeRunFolder(const fs::path& root, const std::string& name) {
  const fs::path wanted = root / runName(name);
  std::error_code error;
  fs::create_directories(root, error);
  fs::path path = wanted;
  for (int number = 2; !error && !fs::create_directory(path, error) && !error; ++number)
    path = wanted.string() + "-" + std::to_string(number);
  if (error) return words::noRunFolder(path.string(), error.message());
  return RunFolder{path};
}

Result<RunFolder> makeRunFolder(const fs::path& root, const PipelineSpec& spec) {
  auto folder = makeRunFolder(root, spec.name);
  if (!folder) return folder;
  if (auto written = writeFile(folder->spec(), yaml::writeSpec(spec, sampling::catalogue())); !written)
    return written.error();
  return folder;
}

void listRun(const fs::path& root, const fs::path& recording, const std::string& name) {
  std::error_code error;
  const fs::path full = fs::absolute(recording, error).lexically_normal();
  if (std::mismatch(root.begin(), root.end(), full.begin(), full.end()).first == root.end()) return;
  forgetDeleted(root);
  const auto folder = makeRunFolder(root, name);
  if (folder && writeFile(folder->elsewhere(), full.string() + "\n")) (void)folder->writeProcess(thisProcess());
}

std::vector<KnownRun> knownRuns(const fs::path& root, std::size_t most) {
  std::vector<KnownRun> runs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    const fs::path run_file = recordingOf(RunFolder{entry.path()});
    if (fs::exists(run_file, error) && !isAwaited(run_file)) runs.push_back(knownRun(entry.path(), run_file));
  }
  std::ranges::sort(runs, std::greater<>(), &KnownRun::started_s);
  if (runs.size() > most) runs.resize(most);
  return runs;
}

}  // namespace shardlens
