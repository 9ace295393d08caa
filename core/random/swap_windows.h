// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/parallel.h"
#include "core/base/work.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace shardlens {

/// Swaps whose targets are drawn together: the draws and targets of a window stay in the nearest cache.
inline constexpr std::size_t kSwapWindow = 4096;

/// Checks the work now and then; `from` and `to` are this loop's part of the whole.
class SwapWatch {
 public:
  /// Elements between two checks of the stop token: a few milliseconds, even if each swap misses every cache.
  static constexpr std::size_t kLookEvery = kSwapWindow << 7;

  SwapWatch(const Work& work, std::size_t count, double from, double to)
      : work_(work), count_(static_cast<double>(count)), from_(from), to_(to) {}

  /// Whether to stop; cheap unless `done` is a multiple of kLookEvery.
  [[nodiscard]] bool stops(std::size_t done) const {
    if (done % kLookEvery != 0) return false;
    work_.progress(from_ + (to_ - from_) * static_cast<double>(done) / count_);
    return work_.stopped();
  }

 private:
  const Work& work_;
  double count_, from_, to_;
};

/// 0, 1, ..., n-1, on all cores: the first touch of fresh memory takes the system as long as many swaps.
template <class T>
Result<void> countUp(std::span<T> out, const Work& work) {
  constexpr std::size_t kPart = SwapWatch::kLookEvery;  // two megabytes of 32-bit ids
  return inParallel((out.size() + kPart - 1) / kPart, work, [&](std::size_t i, const Work&) -> Result<void> {
    const auto part = out.subspan(i * kPart, std::min(kPart, out.size() - i * kPart));
    std::iota(part.begin(), part.end(), static_cast<T>(i * kPart));
    return {};
  });
}

/// Takes each step of a window in turn, its target's cache line is prefetched many steps before, so that memory answers
/// in time.
template <class T, class Index, class Take>
void takeAhead(std::span<T> out, std::span<const Index> targets, Take take) {
  constexpr std::size_t kAhead = 128;  // what a core of today keeps in flight, with some to spare
  const std::size_t ahead = std::min(kAhead, targets.size());
  for (std::size_t k = 0; k < ahead; ++k) __builtin_prefetch(&out[targets[k]], 1);
  for (std::size_t k = 0; k + ahead < targets.size(); ++k) {
    __builtin_prefetch(&out[targets[k + ahead]], 1);
    take(k);
  }
  for (std::size_t k = targets.size() - ahead; k < targets.size(); ++k) take(k);
}

/// targets[k] = here + k + draws[k] % (size - here - k): what randperm's older rule swaps with, from step `here` on. As
/// many as there are draws, at most size - here.
void torchForwardTargets(std::span<const std::uint32_t> draws, std::uint32_t here, std::uint32_t size,
                         std::span<std::uint32_t> targets);

/// targets[k] = (draws[2 k] * 2^32 + draws[2 k + 1]) % (here + k + 1): the same for the newer rule; two draws a target.
void torchInsideOutTargets(std::span<const std::uint32_t> draws, std::uint64_t here, std::span<std::uint64_t> targets);

}  // namespace shardlens
