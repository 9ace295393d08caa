// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace shardlens {

/// Bytes that this machine can still give without swapping (MemAvailable); a large guess where that is unknown.
std::int64_t availableMemory();
/// Whether so many bytes are available. Few always are, so that a thousand small plans a second do not ask the system.
bool isAvailable(double bytes);

namespace detail {
/// `bytes` of zeroes, many of them straight from the system, in huge pages where it has them; null when the system does
/// not have that much.
void* mapPages(std::size_t bytes);
void unmapPages(void* pages, std::size_t bytes);
Error noMemoryFor(std::size_t bytes, const char* what);
}  // namespace detail

/// A fixed number of plain values in memory of its own. Starts as zeroes that cost nothing until touched; large arrays
/// are in huge pages, without which random access to them waits for page tables more than for memory.
template <class T>
class LargeArray {
  static_assert(std::is_trivial_v<T>);

 public:
  LargeArray() = default;
  /// Environment when the machine does not have that much memory; `what` names the content in the sentence.
  static Result<LargeArray> make(std::size_t size, const char* what) {
    const std::size_t bytes = size * sizeof(T);
    void* const pages = size == 0 ? nullptr : detail::mapPages(bytes);
    if (size > 0 && pages == nullptr) return detail::noMemoryFor(bytes, what);
    LargeArray array;
    array.items_ = static_cast<T*>(pages);
    array.size_ = size;
    return array;
  }
  LargeArray(LargeArray&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    return *this;
  }
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;
  ~LargeArray() {
    if (items_ != nullptr) detail::unmapPages(items_, size_ * sizeof(T));
  }

  [[nodiscard]] std::span<T> items() { return {items_, size_}; }
  [[nodiscard]] std::span<const T> items() const { return {items_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
};

/// For a vector that grows like any other and, when large, has the pages of a LargeArray. Throws std::bad_alloc.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): containers convert it

  T* allocate(std::size_t count) {
    if (!isLarge(count)) return std::allocator<T>().allocate(count);
    if (void* const pages = detail::mapPages(count * sizeof(T))) return static_cast<T*>(pages);
    throw std::bad_alloc();
  }
  void deallocate(T* items, std::size_t count) {
    isLarge(count) ? detail::unmapPages(items, count * sizeof(T)) : std::allocator<T>().deallocate(items, count);
  }
  bool operator==(const LargeAllocator& /*other*/) const { return true; }

 private:
  static bool isLarge(std::size_t count) { return count >= (std::size_t{8} << 20) / sizeof(T); }
};

/// Lets the heap grow in large steps and keep what it has, so that a small allocation seldom asks the system. Such a
/// request waits while another thread of the process gives hundreds of megabytes back: 10 ms and more. For programs
/// with a window, before their first thread.
void keepHeapAtHand();

/// Whether operator delete gives large blocks back to the system in pieces, so that no other thread's request for
/// memory waits for the whole of one. True in every program with this module; false where a sanitizer deletes for
/// itself.
bool deletesInPieces();

}  // namespace shardlens
