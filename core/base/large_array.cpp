// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_array.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <string>
#include <sys/mman.h>

namespace shardlens {

std::int64_t availableMemory() {
  std::ifstream in("/proc/meminfo");
  for (std::string key; in >> key;) {
    std::int64_t kilobytes = 0;
    if (key == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<std::int64_t>::max();
}

bool isAvailable(double bytes) {
  constexpr double kWorthAsking = 64 << 20;
  return bytes < kWorthAsking || bytes <= static_cast<double>(availableMemory());
}

namespace detail {
namespace {

constexpr std::size_t kWorthMapping = std::size_t{64} << 10;  // below, two calls of the system cost more than the array

}  // namespace

void* mapPages(std::size_t bytes) {
  if (bytes < kWorthMapping) return std::calloc(bytes, 1);  // NOLINT(cppcoreguidelines-no-malloc): as zeroes, or null
  if (!isAvailable(static_cast<double>(bytes))) return nullptr;  // the system promises more than it has
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes >= kHugePage) ::madvise(pages, bytes, MADV_HUGEPAGE);  // a wish: without it the array is only slower
  return pages;
}

/// In pieces: while pages are given back, no other thread of the process gets memory or gives any back.
void unmapPages(void* pages, std::size_t bytes) {
  if (bytes < kWorthMapping) return std::free(pages);  // NOLINT(cppcoreguidelines-no-malloc)
  constexpr std::size_t kPiece = std::size_t{8} << 20;
  for (std::size_t end = bytes; end > 0;) {
    const std::size_t begin = end > kPiece ? (end - 1) / kPiece * kPiece : 0;
    ::munmap(static_cast<char*>(pages) + begin, end - begin);
    end = begin;
  }
}

Error noMemoryFor(std::size_t bytes, const char* what) {
  const std::string needed = std::string(what) + ": " + byteSize(static_cast<double>(bytes)) + " needed";
  const std::int64_t free = availableMemory();
  if (static_cast<std::int64_t>(bytes) <= free) {  // refused by a limit of the process
    return Error{ErrorCode::Environment,
                 "the system refuses memory for " + needed + ".",
                 {},
                 "lower dataset.size, or raise the memory limit of the process (ulimit -v)"};
  }
  return Error{ErrorCode::Environment,
               "there is not enough memory for " + needed + ", " + byteSize(static_cast<double>(free)) + " free.",
               {},
               "lower dataset.size, or close other programs"};
}

}  // namespace detail
}  // namespace shardlens

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHARDLENS_HEAP_IS_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SHARDLENS_HEAP_IS_WATCHED
#endif
#endif

namespace shardlens {
namespace {

constexpr int kMegabyte = 1 << 20;
constexpr int kMapped = 32 * kMegabyte;  // as high as it goes: pictures of the window's size come from the heap

}  // namespace

void keepHeapAtHand() {
  ::mallopt(M_TOP_PAD, 64 * kMegabyte);
  ::mallopt(M_TRIM_THRESHOLD, 256 * kMegabyte);
  ::mallopt(M_MMAP_THRESHOLD, kMapped);
}

bool deletesInPieces() {
#ifdef SHARDLENS_HEAP_IS_WATCHED
  return false;
#else
  return true;
#endif
}

#ifndef SHARDLENS_HEAP_IS_WATCHED
namespace {

/// Empties a large block piece by piece, so that giving it back is quick.
void emptyInPieces(void* block, std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kPiece = std::size_t{8} * kMegabyte;
  const std::size_t skip = (kPage - reinterpret_cast<std::uintptr_t>(block) % kPage) % kPage;
  char* begin = static_cast<char*>(block) + skip;
  for (std::size_t left = (bytes - skip) / kPage * kPage; left > 0;) {
    const std::size_t piece = std::min(kPiece, left);
    ::madvise(begin, piece, MADV_DONTNEED);
    begin += piece;
    left -= piece;
  }
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  const std::size_t bytes = ::malloc_usable_size(block);
  if (bytes >= kMapped) emptyInPieces(block, bytes);
  std::free(block);  // operator new took it from malloc
}

}  // namespace
#endif

}  // namespace shardlens

#ifndef SHARDLENS_HEAP_IS_WATCHED
// The vectors of a plan are freed by threads that work. In one piece, 800 MB keep every other thread that asks the
// system for memory waiting for 50 ms.
void operator delete(void* block) noexcept {
  shardlens::release(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  shardlens::release(block);
}
#endif
