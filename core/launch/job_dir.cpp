// SPDX-License-Identifier: Apache-2.0
#include "core/launch/job_dir.h"

#include "core/base/process.h"
#include "core/launch/launch_words.h"
#include "core/wire/node_file.h"

#include <array>
#include <cerrno>
#include <chrono>
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

bool isOld(const fs::path& path) {
  constexpr auto kToWriteInto = std::chrono::seconds(10);
  std::error_code error;
  const auto written = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - written > kToWriteInto;
}

bool isInUse(const fs::path& start) {
  return sl_node_in_use(start.c_str()) != 0;
}

/// Whether this holds for a start of ranks in the folder.
template <class Holds>
bool anyStart(const fs::path& folder, const Holds& holds) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && holds(entry.path())) return true;
  }
  return false;
}

/// The owner could not say who it is, as where files may not grow: nobody has anything there for a while.
bool isNobodys(const fs::path& folder) {
  std::error_code error;
  if (fs::file_size(folder / kOwner, error) != 0 || error || !isOld(folder) || !isOld(folder / kOwner)) return false;
  return !anyStart(folder, [](const fs::path& start) { return !isOld(start) || isInUse(start); });
}

/// A folder of ours whose owner said who it is, and is gone; or that is nobody's. The owner of a node may be a rank
/// whose agent still reads its rings, since agents of other starts name owners, too.
bool isAbandoned(const fs::path& folder) {
  struct stat info {};
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid()) return false;
  std::ifstream owner(folder / kOwner);
  ProcessId process;
  if (owner >> process.pid >> process.start_time) return !isAlive(process) && !anyStart(folder, isInUse);
  return isNobodys(folder);
}

}  // namespace

fs::path JobDir::freePath() {
  return base() / (prefix() + randomId());
}

void JobDir::removeAbandoned() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base(), error)) {
    const bool is_ours = entry.path().filename().string().rfind(prefix(), 0) == 0;
    if (is_ours && isAbandoned(entry.path())) fs::remove_all(entry.path(), error);
  }
}

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
  std::ofstream owner(made.path_ / kOwner);
  owner << self.pid << ' ' << self.start_time << '\n' << std::flush;
  if (!owner) return words::noJobFolder(base().string(), std::strerror(ENOSPC));  // NOLINT(concurrency-mt-unsafe)
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
