// SPDX-License-Identifier: Apache-2.0
#include "core/base/heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

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
