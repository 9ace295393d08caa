// SPDX-License-Identifier: Apache-2.0
#include "app/abi/shared_order.h"

#include "core/sampling/order.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/field_table.h"
#include "core/yaml/spec_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace shardlens::abi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/dev/shm";
constexpr const char* kExtension = ".order";
/// Below this a process has its own order sooner than it has found another one's.
constexpr std::int64_t kFewestSamples = 4'000'000;

/// The first bytes of the file; the ids follow. All zero while the order is being drawn, and forever where the process
/// that drew it was killed.
struct Header {
  static constexpr std::uint64_t kMagic = 0x31524544524F4C53;  // "SLORDER1"
  enum State : std::uint64_t { Whole = 1, NotShared = 2 };

  std::uint64_t magic = 0;
  std::uint64_t state = 0;
  std::uint64_t count = 0;
  std::array<std::uint64_t, 5> unused{};
};
static_assert(sizeof(Header) == 64);

/// "shardlens-1000-": files of others are not ours to use.
std::string prefix() {
  return "shardlens-" + std::to_string(geteuid()) + "-";
}

/// The file of an order: specs that draw the same order have the same one.
std::string pathOf(const Plan& plan, const sampling::OrderKey& key) {
  const std::string text =
      orderText(plan.spec()) + "\n" + key.recipe + "\n" + std::to_string(key.seed) + " " + std::to_string(key.skip);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::array<char, 33> digits{};
  (void)std::snprintf(digits.data(), digits.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                      static_cast<unsigned long long>(hash.low64));
  return std::string(kFolder) + "/" + prefix() + digits.data() + kExtension;
}

/// Whether another rank of this rank's host reads the same order.
bool isWorthSharing(const sampling::SamplerRule& rule, const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (spec.dataset.size < kFewestSamples || spec.world.ranksOn(spec.nodeOf(rank)) < 2) return false;
  const std::int64_t first = rank.value - spec.localRankOf(rank);
  const Rank other{rank.value == first ? first + 1 : first};
  return rule.key(spec, epoch, rank) == rule.key(spec, epoch, other);
}

bool isLocked(int fd, int how) {
  while (flock(fd, how) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

/// While this lives, no other process draws the order. Another kind of lock than that of those who use the file.
class Turn {
 public:
  explicit Turn(int fd) : fd_(fd) { set(F_WRLCK); }
  ~Turn() { set(F_UNLCK); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void set(short type) const {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_len = 1;
    while (::fcntl(fd_, F_OFD_SETLKW, &range) != 0 && errno == EINTR) {
    }
  }

  int fd_;
};

/// Removes orders that no process uses any more.
void sweep(const std::string& but) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(kFolder, code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix()) || !name.ends_with(kExtension) || entry.path() == but) continue;
    const int fd = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) continue;
    if (isLocked(fd, LOCK_EX | LOCK_NB)) (void)::unlink(entry.path().c_str());
    ::close(fd);
  }
}

bool writeAll(int fd, const void* bytes, std::size_t count, off_t at) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t wrote = ::pwrite(fd, from, count, at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    from += wrote;
    at += wrote;
    count -= static_cast<std::size_t>(wrote);
  }
  return true;
}

Header headerOf(int fd) {
  Header header;
  const bool is_read = ::pread(fd, &header, sizeof(header), 0) == static_cast<ssize_t>(sizeof(header));
  return is_read && header.magic == Header::kMagic ? header : Header{};
}

/// Writes the order; or, where it cannot be shared, only that, so that no process waits for it again.
void fill(int fd, const Order& order) {
  const auto ids = order.narrowIds();
  Header header;
  header.magic = Header::kMagic;
  header.state = Header::NotShared;
  const bool is_written = !ids.empty() && order.deal() == nullptr &&
                          ::posix_fallocate(fd, 0, static_cast<off_t>(sizeof(header) + ids.size_bytes())) == 0 &&
                          writeAll(fd, ids.data(), ids.size_bytes(), sizeof(header));
  if (is_written) {
    header.state = Header::Whole;
    header.count = ids.size();
  } else {
    (void)!::ftruncate(fd, 0);
  }
  (void)writeAll(fd, &header, sizeof(header), 0);
}

}  // namespace

std::string orderText(PipelineSpec spec) {
  spec = shapeOnly(std::move(spec));
  spec.epochs = PipelineSpec().epochs;
  return yaml::writeSpec(spec, sampling::catalogue());
}

SharedOrder::SharedOrder(std::string path, int fd) : path_(std::move(path)), fd_(fd), owner_(getpid()) {}

SharedOrder::~SharedOrder() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  // A forked worker has the lock of its rank, and must not touch it.
  if (owner_ == getpid() && isLocked(fd_, LOCK_EX | LOCK_NB)) (void)::unlink(path_.c_str());
  ::close(fd_);
}

/// Whether the file is ours, and will not be removed while we use it.
bool SharedOrder::use() {
  struct stat info {};
  return ::fstat(fd_, &info) == 0 && info.st_uid == geteuid() && isLocked(fd_, LOCK_SH);
}

bool SharedOrder::map() {
  const Header header = headerOf(fd_);
  struct stat info {};
  bytes_ = sizeof(Header) + header.count * sizeof(std::uint32_t);
  if (header.state != Header::Whole || ::fstat(fd_, &info) != 0 || static_cast<std::size_t>(info.st_size) < bytes_)
    return false;
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd_, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  const auto* const first = reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(memory) + sizeof(Header));
  ids_ = {first, static_cast<std::size_t>(header.count)};
  return true;
}

Result<std::shared_ptr<const SharedOrder>> SharedOrder::of(const Plan& plan, Epoch epoch, Rank rank) {
  using Found = std::shared_ptr<const SharedOrder>;
  const sampling::SamplerRule& rule = plan.rule();
  if (!isWorthSharing(rule, plan.spec(), epoch, rank)) return Found();
  const sampling::OrderKey key = rule.key(plan.spec(), epoch, rank);
  const std::string path = pathOf(plan, key);
  constexpr int kAttempts = 100;  // each fails only if the last user of a file removes it in that very moment
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return Found();
    const std::shared_ptr<SharedOrder> shared(new SharedOrder(path, fd));
    if (!shared->use()) return Found();
    struct stat info {};
    if (::fstat(fd, &info) != 0 || info.st_nlink == 0) continue;
    const Turn turn(fd);
    if (headerOf(fd).state == 0) {
      sweep(path);
      const auto order = rule.order(plan.spec(), key, {});
      if (!order) return order.error();
      fill(fd, **order);
    }
    return shared->map() ? Found(shared) : Found();
  }
  return Found();
}

}  // namespace shardlens::abi
