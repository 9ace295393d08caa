// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace shardlens {
namespace {

namespace fs = std::filesystem;

Error refused(const std::string& what, const fs::path& path, int number) {
  return Error{
      ErrorCode::Io, what + ": " + std::generic_category().message(number) + ".", Place{path.string(), 0, 0, {}}, {}};
}

Error badFile(const fs::path& path, std::string message) {
  return Error{ErrorCode::BadInput, std::move(message), Place{path.string(), 0, 0, {}}, {}};
}

/// Closes the descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) (void)::close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool closeNow() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

/// Where the bytes end up: the end of a chain of symbolic links, even when nothing is there yet.
Result<fs::path> targetOf(const fs::path& path) {
  fs::path target = path;
  for (int links = 0; links < 40; ++links) {
    std::error_code code;
    if (!fs::is_symlink(fs::symlink_status(target, code))) return target;
    const fs::path next = fs::read_symlink(target, code);
    if (code) return refused("cannot follow the link", target, code.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return badFile(path, "too many symbolic links.");
}

std::string randomName(const fs::path& target) {
  std::random_device source;
  std::array<char, 32> suffix{};
  (void)std::snprintf(suffix.data(), suffix.size(), ".%08x%08x.tmp", source(), source());
  return "." + target.filename().string() + suffix.data();
}

bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes and syncs the temporary file; errno is that of the step that failed.
bool fill(Descriptor& file, std::string_view bytes, const struct stat* old) {
  if (old != nullptr) {
    // Only root may give files away: a failure here is no reason to refuse the save.
    [[maybe_unused]] const int owner_kept = ::fchown(file.get(), old->st_uid, old->st_gid);
    if (::fchmod(file.get(), old->st_mode & 07777) != 0) return false;
  }
  return writeAll(file.get(), bytes) && ::fsync(file.get()) == 0 && file.closeNow();
}

void syncFolder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0) (void)::fsync(descriptor.get());  // some file systems cannot; the rename has happened
}

thread_local volatile int watchers = 0;  ///< LostPages of this thread
thread_local volatile int losses = 0;    ///< pages that this thread found gone

struct sigaction handler_before {};
std::uintptr_t page_bytes = 0;

/// The access is repeated when this returns. The signal comes from our own access to the mapping, never from within
/// the C library, so that calling the system is safe here.
void onBusError(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page_bytes - 1));
  constexpr int kZeroes = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (watchers > 0 && info->si_code == BUS_ADRERR &&
      mmap(page, page_bytes, PROT_READ | PROT_WRITE, kZeroes, -1, 0) == page) {
    losses = losses + 1;
  } else {
    sigaction(SIGBUS, &handler_before, nullptr);
  }
  errno = error;
}

bool installHandler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &handler_before) == 0;
}

}  // namespace

Result<std::string> readFile(const fs::path& path, std::size_t most, const Work& work) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return refused("cannot read the file", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return refused("cannot read the file", path, errno);
  if (!S_ISREG(info.st_mode))
    return badFile(path, S_ISDIR(info.st_mode) ? "this is a folder, not a file." : "this is not a regular file.");
  std::string bytes;
  bytes.reserve(std::min(most, static_cast<std::size_t>(info.st_size)) +
                1);  // growing would copy a long file again and again
  std::array<char, 65536> piece{};
  while (bytes.size() <= most) {
    if (work.stopped()) return cancelled();
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused("cannot read the file", path, errno);
    if (got == 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(got));
  }
  return badFile(path, "the file is longer than " + std::to_string(most / 1'000'000) + " MB.");
}

Result<void> writeFile(const fs::path& path, std::string_view bytes) {
  const auto target = targetOf(path);
  if (!target) return target.error();
  struct stat info {};
  const bool exists = ::stat(target->c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) return badFile(path, "this is not a regular file.");
  const fs::path folder = target->parent_path().empty() ? fs::path(".") : target->parent_path();
  const fs::path temporary = folder / randomName(*target);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return refused("cannot write into the folder", folder, errno);
  if (!fill(file, bytes, exists ? &info : nullptr) || ::rename(temporary.c_str(), target->c_str()) != 0) {
    const int number = errno;
    (void)::unlink(temporary.c_str());
    return refused("cannot write the file", path, number);
  }
  syncFolder(folder);
  return {};
}

LostPages::LostPages() : before_(losses) {
  static const bool kInstalled = installHandler();
  (void)kInstalled;
  watchers = watchers + 1;
}

LostPages::~LostPages() {
  watchers = watchers - 1;
}

bool LostPages::any() const {
  return losses != before_;
}

}  // namespace shardlens
