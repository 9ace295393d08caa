// SPDX-License-Identifier: Apache-2.0
#include "core/collect/agent_recording.h"

#include "core/base/file.h"
#include "core/collect/collect_words.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

constexpr int kMostStarts = 100'000;

/// A file that nobody else has made. An errno, EEXIST where it is there, or 0.
int makeFile(const fs::path& path, const std::string& host, const std::string& text) {
  const fs::path fresh = path.parent_path() / (host + "-" + std::to_string(getpid()) + ".new");
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  const bool is_whole = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  int error = is_whole ? 0 : ENOSPC;
  close(fd);
  // Whoever sees it sees all of it.
  if (error == 0 && link(fresh.c_str(), path.c_str()) != 0) error = errno;
  (void)unlink(fresh.c_str());
  return error;
}

/// As part of a file name.
std::string plainName(std::string host) {
  std::ranges::replace(host, '/', '-');
  return host.empty() || host.front() == '.' ? "host" + host : host;
}

fs::path wordOf(const fs::path& first, const std::string& host) {
  return first / (plainName(host) + ".failed");
}

bool hasEndedAgent(const fs::path& recording) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(recording, error)) {
    if (entry.path().extension() == ".done") return true;
  }
  return false;
}

/// Only the folder that `shardlens env` made has one.
bool hasMark(const fs::path& recording) {
  std::error_code error;
  return fs::exists(recording / "awaited", error);
}

enum class Taken : std::uint8_t { Mine, Others, Failed };

/// Tries to be the agent of this host in this recording. errno tells why it failed.
Taken take(const fs::path& recording, const std::string& world, const std::string& host) {
  std::error_code code;
  fs::create_directories(recording, code);
  if (code) return (errno = code.value(), Taken::Failed);
  errno = makeFile(recording / "start", plainName(host), world);
  if (errno != 0 && errno != EEXIST) return Taken::Failed;
  const auto of = errno == EEXIST ? readFile(recording / "start", 100) : Result<std::string>(world);
  if (!of || *of != world || hasEndedAgent(recording)) return Taken::Others;
  errno = makeFile(recording / (plainName(host) + ".agent"), plainName(host), std::to_string(getpid()) + "\n");
  if (errno == 0) return Taken::Mine;
  return errno == EEXIST ? Taken::Others : Taken::Failed;
}

}  // namespace

fs::path recordingOfStart(const fs::path& first, int number) {
  if (number <= 1) return first;
  const std::string end = "-" + std::to_string(number);
  const bool is_run_folder = first.filename() == "run.slrun" && first.has_parent_path();
  if (is_run_folder) return fs::path(first.parent_path().string() + end) / first.filename();
  return first.parent_path() / (first.stem().string() + end + first.extension().string());
}

fs::path recordingOfNextStart(const fs::path& recording) {
  const bool is_run_folder = recording.filename() == "run.slrun" && recording.has_parent_path();
  const fs::path named = is_run_folder ? recording.parent_path() : recording;
  const std::string name = is_run_folder ? named.filename().string() : named.stem().string();
  const std::size_t dash = name.rfind('-');
  int number = 0;
  const char* const end = name.data() + name.size();
  const bool is_numbered = dash != std::string::npos && dash > 0 && !hasMark(recording) &&
                           std::from_chars(name.data() + dash + 1, end, number).ptr == end && number >= 2;
  if (!is_numbered) return recordingOfStart(recording, 2);
  const std::string first = name.substr(0, dash);
  return recordingOfStart(is_run_folder ? named.parent_path() / first / recording.filename()
                                        : named.parent_path() / (first + named.extension().string()),
                          number + 1);
}

Result<fs::path> takeRecording(const fs::path& first, std::uint64_t world, const std::string& host) {
  for (int number = 1; number <= kMostStarts; ++number) {
    const fs::path recording = recordingOfStart(first, number);
    const Taken taken = take(recording, std::to_string(world) + "\n", host);
    if (taken == Taken::Mine) return recording;
    const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
    if (taken == Taken::Failed) return words::noRunFolder(recording.string(), why);
  }
  return words::noRunFolder(first.string(), "too many starts");
}

void leaveRecording(const fs::path& recording, const std::string& host) {
  std::error_code error;
  fs::rename(recording / (plainName(host) + ".agent"), recording / (plainName(host) + ".done"), error);
}

void sayNotRecorded(const fs::path& first, const std::string& host, const std::string& why) {
  // On a disk that is full the name alone says that it failed.
  const int fd = open(wordOf(first, host).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (fd < 0) return;
  (void)!write(fd, why.data(), why.size());
  close(fd);
}

void takeBackWord(const fs::path& first, const std::string& host) {
  std::error_code error;
  fs::remove(wordOf(first, host), error);
}

void StrayProbeFiles::note() {
  const std::string before = "file-";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(start_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(before) && name.ends_with(".slprobe")) names_.insert(name.substr(before.size()));
  }
}

void StrayProbeFiles::bringHome() {
  if (first_ == recording_) return;
  std::error_code error;
  for (const std::string& name : names_) {
    // Two hosts of one name may share the recording, too.
    if (fs::exists(first_ / name, error) && !fs::exists(recording_ / name, error))
      fs::rename(first_ / name, recording_ / name, error);
  }
}

}  // namespace shardlens
