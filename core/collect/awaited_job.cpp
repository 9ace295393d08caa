// SPDX-License-Identifier: Apache-2.0
#include "core/collect/awaited_job.h"

#include "core/base/file.h"
#include "core/collect/collect_words.h"
#include "core/collect/installed_file.h"
#include "core/collect/run_folder.h"
#include "core/launch/job_dir.h"
#include "core/record/recording_reader.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

/// `path` is neither a recording nor awaits one. If it is empty: no recording is in progress, and none is expected.
Error nothingToWatch(const std::string& path) {
  if (!path.empty())
    return Error::inFile(ErrorCode::Usage, path,
                         "there is no recording, and no folder that `shardlens env` made for one.");
  return Error::of(
      ErrorCode::Usage, "no recording is in progress, and none is expected.",
      "put eval \"$(shardlens env)\" into the script of the job, or name a recording: shardlens watch DIR");
}

/// `why` is a sentence; may be empty.
std::string jobNotRecorded(const std::string& host, const std::string& why) {
  return "A job began on " + host + " and could not be recorded. " + (why.empty() ? "" : why + " ") +
         "Before the next one, fix that and evaluate `shardlens env` again.";
}

namespace fs = std::filesystem;

constexpr const char* kMark = "awaited";
constexpr const char* kDesign = "design.yaml";
constexpr std::size_t kMostDesign = 64 << 20;

/// What Slurm calls the job, if it is one of Slurm's.
std::string nameOfJob() {
  const char* const name = std::getenv("SLURM_JOB_NAME");
  return name != nullptr && *name != '\0' ? name : "job";
}

Result<fs::path> makeRecording(const std::string& dir) {
  std::error_code error;
  if (dir.empty()) {
    const auto folder = makeRunFolder(runsRoot(), nameOfJob());
    if (!folder) return folder.error();
    const fs::path recording = fs::absolute(folder->runFile(), error);
    fs::create_directory(recording, error);
    return error ? Result<fs::path>(words::noRunFolder(recording.string(), error.message())) : recording;
  }
  const fs::path recording = fs::absolute(dir, error).lexically_normal();
  const bool is_taken =
      fs::exists(recording, error) && !(fs::is_directory(recording, error) && fs::is_empty(recording, error));
  if (is_taken)
    return Error::inFile(ErrorCode::Usage, recording.string(), "something already exists at this path.",
                         "name a new or an empty folder");
  fs::create_directories(recording, error);
  return error ? Result<fs::path>(words::noRunFolder(recording.string(), error.message())) : recording;
}

bool hasSegment(const fs::path& recording) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(recording, error)) {
    if (entry.path().extension() == ".slseg") return true;
  }
  return false;
}

bool goesOn(const fs::path& recording) {
  if (!hasSegment(recording)) return false;  // awaited, or packed when it was over
  auto reader = RecordingReader::open(recording);
  if (!reader) return false;
  while (!reader->readMore().empty()) {
  }
  return reader->isBeingWritten();
}

/// Recordings and awaited jobs of this user and in this folder, the newest first.
std::vector<fs::path> candidates() {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  const auto add = [&](const fs::path& path) {
    const bool is_one =
        fs::is_directory(path, error) ? hasSegment(path) || isAwaited(path) : fs::is_regular_file(path, error);
    if (is_one) found.emplace_back(fs::last_write_time(path, error), path);
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(runsRoot(), error))
    add(RunFolder{entry.path()}.runFile());
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::current_path(error), error)) {
    if (entry.path().extension() == ".slrun") add(entry.path());
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace

Result<AwaitedJob> awaitJob(const std::string& dir, const PipelineSpec* design) {
  const fs::path agent = installedFile("shardlens-agent");
  if (agent.empty())
    return Error::of(
        ErrorCode::Environment,
        "This installation has no shardlens-agent, which records jobs that others start: it is neither next to "
        "shardlens nor in lib/shardlens.",
        "install it again");
  const auto recording = makeRecording(dir);
  if (!recording) return recording.error();
  const fs::path rings = JobDir::freePath();
  if (design != nullptr) {
    const auto wrote = writeFile(*recording / kDesign, yaml::writeSpec(*design, sampling::catalogue()));
    if (!wrote) return wrote.error();
  }
  if (auto wrote = writeFile(*recording / kMark, rings.filename().string() + "\n"); !wrote) return wrote.error();
  AwaitedJob job{*recording, probeEnvironment(recording->string(), rings)};
  job.environment.variables.emplace_back("SHARDLENS_AGENT", agent.string());
  return job;
}

std::string exportLines(const ProbeEnvironment& environment) {
  std::string lines;
  for (const auto& [name, value] : environment.variables) lines += "export " + name + "=" + shellQuoted(value) + "\n";
  return lines;
}

bool isAwaited(const fs::path& recording) {
  std::error_code error;
  return fs::exists(recording / kMark, error) && !hasSegment(recording);
}

std::string awaitedName(const fs::path& recording) {
  const auto text = readFile(recording / kMark, 1000);
  return text ? text->substr(0, text->find('\n')) : std::string();
}

std::optional<std::string> failureToRecord(const fs::path& recording) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(recording, error)) {
    if (entry.path().extension() != ".failed") continue;
    const auto why = readFile(entry.path(), 4000);
    return jobNotRecorded(entry.path().stem().string(), why ? why->substr(0, why->find('\n')) : std::string());
  }
  return std::nullopt;
}

std::string adviceOnSilence(const fs::path& recording) {
  std::error_code error;
  const fs::space_info space = fs::space(recording, error);
  if (!error && space.available == 0)
    return "No rank has reported yet, and the file system of " + recording.string() +
           " is full: a job that begins now cannot be recorded.\n";
  return "No rank has reported yet. If the job has begun, look whether it was started in the shell or script that "
         "evaluated `shardlens env`, whether SHARDLENS_PROBE is set in its ranks on every node, whether these use "
         "PyTorch's loaders or process groups, MPI or NCCL, and whether they can write to /dev/shm and to " +
         recording.string() + ".\n";
}

std::string awaitedDesign(const fs::path& recording) {
  const auto text = readFile(recording / kDesign, kMostDesign);
  return text ? *text : std::string();
}

Result<fs::path> recordingToWatch(const std::string& named) {
  std::error_code error;
  if (!named.empty()) {
    const fs::path inner = RunFolder{named}.runFile();
    if (fs::exists(inner, error)) return inner;
    if (!fs::exists(named, error) || (fs::is_directory(named, error) && !hasSegment(named) && !isAwaited(named)))
      return nothingToWatch(named);
    const fs::path path(named);
    return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
  }
  const std::vector<fs::path> all = candidates();
  if (all.empty()) return nothingToWatch({});
  const auto found = std::ranges::find_if(all, goesOn);
  return found == all.end() ? all.front() : *found;
}

/// Whose job begins is written to, and so the newest.
fs::path newestToWatch(const fs::path& awaited) {
  const std::vector<fs::path> all = candidates();
  return all.empty() || !isAwaited(awaited) ? awaited : all.front();
}

}  // namespace shardlens
