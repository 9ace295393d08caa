// SPDX-License-Identifier: Apache-2.0
#include "core/launch/job_dir.h"

#include "core/base/process.h"
#include "core/launch/launch_words.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwner = "owner";

fs::path base() {
  std::error_code ignored;
  return fs::is_directory("/dev/shm", ignored) ? fs::path("/dev/shm") : fs::temp_directory_path(ignored);
}

std::string prefix() {
  return "shardlens-" + std::to_string(getuid()) + "-";
}

std::string randomId() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number)) number = static_cast<std::uint32_t>(getpid());
  std::array<char, 16> text{};
  (void)std::snprintf(text.data(), text.size(), "%08x", number);
  return text.data();
}

/// A folder of ours whose owner said who it is, and is gone.
bool isAbandoned(const fs::path& folder) {
  struct stat info {};
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid()) return false;
  std::ifstream owner(folder / kOwner);
  ProcessId process;
  return (owner >> process.pid >> process.start_time) && !isAlive(process);
}

void removeAbandoned() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base(), error)) {
    const bool is_ours = entry.path().filename().string().rfind(prefix(), 0) == 0;
    if (is_ours && isAbandoned(entry.path())) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

Result<JobDir> JobDir::make() {
  removeAbandoned();
  JobDir made;
  for (int attempt = 0; attempt < 16 && made.path_.empty(); ++attempt) {
    made.id_ = randomId();
    const fs::path path = base() / (prefix() + made.id_);
    if (mkdir(path.c_str(), 0700) == 0) made.path_ = path;
    if (made.path_.empty() && errno != EEXIST) break;
  }
  const std::string why = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): glibc's is safe
  if (made.path_.empty()) return words::noJobFolder(base().string(), why);
  const ProcessId self = thisProcess();
  std::ofstream(made.path_ / kOwner) << self.pid << ' ' << self.start_time << '\n';
  return made;
}

JobDir::~JobDir() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

JobDir::JobDir(JobDir&& other) noexcept {
  *this = std::move(other);
}

JobDir& JobDir::operator=(JobDir&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(id_, other.id_);
  return *this;
}

}  // namespace shardlens
