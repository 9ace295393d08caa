// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shardlens {
namespace {

/// Swaps whose targets are drawn together: the draws and targets of a window stay in the nearest cache.
constexpr std::size_t kWindow = 4096;
/// How many swaps ahead a target's line is asked for: what a core of today keeps in flight, with some to spare.
constexpr std::size_t kAhead = 128;
/// Elements between two looks at the stop token: some milliseconds, also where each swap misses every cache.
constexpr std::size_t kLookEvery = kWindow << 7;
/// Where torch after 2.6 takes another algorithm: floor((2^32 - 1) / 20).
constexpr std::uint64_t kInsideOutFrom = 214'748'364;

/// Looks at the work now and then; `from` and `to` are the part of the whole that this loop is.
class Watch {
 public:
  Watch(const Work& work, std::size_t count, double from, double to)
      : work_(work), count_(static_cast<double>(count)), from_(from), to_(to) {}

  /// Whether to stop; cheap unless `done` is a multiple of kLookEvery.
  bool stops(std::size_t done) const {
    if (done % kLookEvery != 0) return false;
    work_.progress(from_ + (to_ - from_) * static_cast<double>(done) / count_);
    return work_.stopped();
  }

 private:
  const Work& work_;
  double count_, from_, to_;
};

/// 0, 1, ..., n-1. The first touch of fresh memory takes as long as many swaps, so this can be stopped too.
template <class T>
Result<void> count(std::span<T> out, const Watch& watch) {
  for (std::size_t i = 0; i < out.size(); i += kLookEvery) {
    if (watch.stops(i)) return cancelled();
    const auto part = out.subspan(i, std::min(kLookEvery, out.size() - i));
    std::iota(part.begin(), part.end(), static_cast<T>(i));
  }
  return {};
}

/// targets[k] = here + k + draws[k] % (size - here - k). The quotient of two whole numbers below 2^32 is at least 2^-32
/// away from the next whole number unless it is one, and a double is nearer to it than that: cutting it off is exact.
[[gnu::always_inline]] inline void targetsOf(std::span<const std::uint32_t> draws, std::uint32_t here,
                                             std::uint32_t size, std::uint32_t* targets) {
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const std::uint32_t place = here + static_cast<std::uint32_t>(k);
    const std::uint32_t range = size - place;
    const auto quotient = static_cast<std::int64_t>(static_cast<double>(draws[k]) / static_cast<double>(range));
    targets[k] = place + draws[k] - static_cast<std::uint32_t>(quotient) * range;
  }
}

void targetsPortable(std::span<const std::uint32_t> draws, std::uint32_t here, std::uint32_t size,
                     std::uint32_t* targets) {
  targetsOf(draws, here, size, targets);
}

#if defined(__x86_64__)
/// The same with instructions that convert and divide eight numbers at once: six times as fast.
__attribute__((target("avx512f,avx512dq"))) void targetsWide(std::span<const std::uint32_t> draws, std::uint32_t here,
                                                             std::uint32_t size, std::uint32_t* targets) {
  targetsOf(draws, here, size, targets);
}

auto bestTargets() {
  const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return wide ? targetsWide : targetsPortable;
}
#else
auto bestTargets() {
  return targetsPortable;
}
#endif

/// Takes each step of a window in turn, its target's line asked for kAhead steps before.
template <class T, class Index, class Take>
void takeAhead(std::span<T> out, std::span<const Index> targets, Take take) {
  const std::size_t ahead = std::min(kAhead, targets.size());
  for (std::size_t k = 0; k < ahead; ++k) __builtin_prefetch(&out[targets[k]], 1);
  for (std::size_t k = 0; k + ahead < targets.size(); ++k) {
    __builtin_prefetch(&out[targets[k + ahead]], 1);
    take(k);
  }
  for (std::size_t k = targets.size() - ahead; k < targets.size(); ++k) take(k);
}

/// `Index` holds out.size(); what fills the targets of a window is given by it.
template <class Index, class T, class Fill>
Result<void> forward(TorchGenerator& generator, std::span<T> out, const Watch& watch, Fill fill) {
  const std::size_t swaps = out.empty() ? 0 : out.size() - 1;
  std::array<std::uint32_t, kWindow> draws{};
  std::array<Index, kWindow> targets{};
  for (std::size_t i = 0; i < swaps; i += kWindow) {
    if (watch.stops(i)) return cancelled();
    const auto drawn = std::span(draws).first(std::min(kWindow, swaps - i));
    generator.fill(drawn);
    fill(drawn, static_cast<Index>(i), static_cast<Index>(out.size()), targets.data());
    takeAhead(out, std::span<const Index>(targets).first(drawn.size()),
              [&](std::size_t k) { std::swap(out[i + k], out[targets[k]]); });
  }
  return {};
}

template <class T>
Result<void> forward(TorchGenerator& generator, std::span<T> out, const Watch& watch) {
  if (out.size() <= UINT32_MAX) return forward<std::uint32_t>(generator, out, watch, bestTargets());
  const auto fill = [](std::span<const std::uint32_t> draws, std::uint64_t here, std::uint64_t size,
                       std::uint64_t* targets) {
    for (std::size_t k = 0; k < draws.size(); ++k) targets[k] = here + k + draws[k] % (size - here - k);
  };
  return forward<std::uint64_t>(generator, out, watch, fill);
}

template <class T>
Result<void> insideOut(TorchGenerator& generator, std::span<T> out, const Watch& watch) {
  std::array<std::uint32_t, 2 * kWindow> draws{};
  std::array<std::uint64_t, kWindow> targets{};
  for (std::size_t i = 0; i < out.size(); i += kWindow) {
    if (watch.stops(i)) return cancelled();
    const std::size_t count = std::min(kWindow, out.size() - i);
    generator.fill(std::span(draws).first(2 * count));
    for (std::size_t k = 0; k < count; ++k) {
      targets[k] = (std::uint64_t{draws[2 * k]} << 32 | draws[2 * k + 1]) % (i + k + 1);
    }
    takeAhead(out, std::span<const std::uint64_t>(targets).first(count), [&](std::size_t k) {
      out[i + k] = static_cast<T>(i + k);
      out[i + k] = out[targets[k]];
      out[targets[k]] = static_cast<T>(i + k);
    });
  }
  return {};
}

template <class T>
Result<void> randperm(TorchGenerator& generator, std::span<T> out, const Work& work, TorchRandpermRule rule) {
  constexpr double kCounted = 0.1;  // about the share of the time that counting takes
  if (rule == TorchRandpermRule::InsideOut) return insideOut(generator, out, Watch(work, out.size(), 0, 1));
  if (auto counted = count(out, Watch(work, out.size(), 0, kCounted)); !counted) return counted;
  return forward(generator, out, Watch(work, out.size(), kCounted, 1));
}

}  // namespace

TorchRandpermRule torchRandpermRule(std::string_view release, std::uint64_t n) {
  const bool old = release == "1.13" || release == "2.6";
  return old || n < kInsideOutFrom ? TorchRandpermRule::Forward : TorchRandpermRule::InsideOut;
}

std::uint64_t torchRandpermOutputs(TorchRandpermRule rule, std::uint64_t n) {
  if (rule == TorchRandpermRule::InsideOut) return 2 * n;
  return n == 0 ? 0 : n - 1;
}

Result<void> torchRandperm(TorchGenerator& generator, std::span<std::uint32_t> out, const Work& work,
                           TorchRandpermRule rule) {
  return randperm(generator, out, work, rule);
}

Result<void> torchRandperm(TorchGenerator& generator, std::span<std::int64_t> out, const Work& work,
                           TorchRandpermRule rule) {
  return randperm(generator, out, work, rule);
}

}  // namespace shardlens
