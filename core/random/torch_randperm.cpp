// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shardlens {
namespace {

/// Swaps whose targets are known and prefetched before the first of them is done: hides the latency of memory.
constexpr std::size_t kWindow = 1024;
/// Elements between two looks at the stop token: some milliseconds, also where each swap misses every cache.
constexpr std::size_t kLookEvery = kWindow << 9;
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

template <class T>
Result<void> forward(TorchGenerator& generator, std::span<T> out, const Watch& watch) {
  using Index = std::make_unsigned_t<T>;
  const std::size_t swaps = out.empty() ? 0 : out.size() - 1;
  const auto size = static_cast<Index>(out.size());
  std::array<std::uint32_t, kWindow> draws{};
  std::array<Index, kWindow> targets{};
  for (std::size_t i = 0; i < swaps; i += kWindow) {
    if (watch.stops(i)) return cancelled();
    const std::size_t count = std::min(kWindow, swaps - i);
    generator.fill(std::span(draws).first(count));
    for (std::size_t k = 0; k < count; ++k) {
      const auto here = static_cast<Index>(i + k);
      targets[k] = here + draws[k] % (size - here);
      __builtin_prefetch(&out[targets[k]], 1);
    }
    for (std::size_t k = 0; k < count; ++k) std::swap(out[i + k], out[targets[k]]);
  }
  return {};
}

template <class T>
Result<void> insideOut(TorchGenerator& generator, std::span<T> out, const Watch& watch) {
  std::array<std::uint64_t, kWindow> targets{};
  for (std::size_t i = 0; i < out.size(); i += kWindow) {
    if (watch.stops(i)) return cancelled();
    const std::size_t count = std::min(kWindow, out.size() - i);
    for (std::size_t k = 0; k < count; ++k) {
      targets[k] = generator.random64() % (i + k + 1);
      __builtin_prefetch(&out[targets[k]], 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      out[i + k] = static_cast<T>(i + k);
      out[i + k] = out[targets[k]];
      out[targets[k]] = static_cast<T>(i + k);
    }
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
