// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"

#include "core/random/swap_windows.h"
#include "core/random/torch_randperm_pair.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace shardlens {
namespace {

/// Where torch after 2.6 takes another algorithm: floor((2^32 - 1) / 20).
constexpr std::uint64_t kInsideOutFrom = 214'748'364;

/// Draws the targets of torch's older rule, a window at a time.
template <class Index>
class ForwardTargets {
 public:
  ForwardTargets(TorchGenerator& generator, std::uint64_t size) : generator_(generator), size_(size) {}

  /// Of the steps `here`, here + 1, ...; none behind the last step, n - 2.
  std::span<const Index> next(std::uint64_t here) {
    const auto drawn = std::span(draws_).first(std::min<std::uint64_t>(kSwapWindow, size_ - 1 - here));
    generator_.fill(drawn);
    if constexpr (sizeof(Index) == 4) {
      torchForwardTargets(drawn, static_cast<Index>(here), static_cast<Index>(size_), targets_);
    } else {
      for (std::size_t k = 0; k < drawn.size(); ++k) targets_[k] = here + k + drawn[k] % (size_ - here - k);
    }
    return std::span(targets_).first(drawn.size());
  }

 private:
  TorchGenerator& generator_;
  std::uint64_t size_;
  std::array<std::uint32_t, kSwapWindow> draws_{};
  std::array<Index, kSwapWindow> targets_{};
};

/// The same for the newer rule.
class InsideOutTargets {
 public:
  InsideOutTargets(TorchGenerator& generator, std::uint64_t size) : generator_(generator), size_(size) {}

  std::span<const std::uint64_t> next(std::uint64_t here) {
    const std::size_t count = std::min<std::uint64_t>(kSwapWindow, size_ - here);
    const auto targets = std::span(targets_).first(count);
    const auto draws = std::span(draws_).first(2 * count);
    generator_.fill(draws);
    torchInsideOutTargets(draws, here, targets);
    return targets;
  }

 private:
  TorchGenerator& generator_;
  std::uint64_t size_;
  std::array<std::uint32_t, 2 * kSwapWindow> draws_{};
  std::array<std::uint64_t, kSwapWindow> targets_{};
};

/// From step `from` on, a multiple of kSwapWindow.
template <class Index, class T>
Result<void> forward(TorchGenerator& generator, std::span<T> out, const SwapWatch& watch, std::size_t from = 0) {
  ForwardTargets<Index> windows(generator, out.size());
  for (std::size_t i = from; i + 1 < out.size(); i += kSwapWindow) {
    if (watch.stops(i)) return cancelled();
    const auto targets = windows.next(i);
    takeAhead(out, targets, [&](std::size_t k) { std::swap(out[i + k], out[targets[k]]); });
  }
  return {};
}

template <class T>
Result<void> insideOut(TorchGenerator& generator, std::span<T> out, const SwapWatch& watch) {
  InsideOutTargets windows(generator, out.size());
  for (std::size_t i = 0; i < out.size(); i += kSwapWindow) {
    if (watch.stops(i)) return cancelled();
    const auto targets = windows.next(i);
    takeAhead(out, targets, [&](std::size_t k) {
      out[i + k] = out[targets[k]];
      out[targets[k]] = static_cast<T>(i + k);
    });
  }
  return {};
}

/// Without an early way out, which would keep the loop from being vectorised.
template <class Index>
bool holds(std::span<const Index> targets, std::uint64_t place) {
  bool found = false;
  for (const Index target : targets) found |= target == place;
  return found;
}

/// A step moves what stands at its own place or at its target; behind its own step an element stays for good.
template <class Index>
Result<std::uint64_t> followForward(TorchGenerator& generator, std::uint64_t size, std::uint64_t place,
                                    const SwapWatch& watch) {
  ForwardTargets<Index> windows(generator, size);
  for (std::uint64_t i = 0; i + 1 < size && i <= place; i += kSwapWindow) {
    if (watch.stops(i)) return cancelled();
    const auto targets = windows.next(i);
    if (place >= i + targets.size() && !holds(targets, place)) continue;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (i + k == place) {
        place = targets[k];
        if (place == i + k) return place;
      } else if (targets[k] == place) {
        return i + k;
      }
    }
  }
  return place;
}

/// An element appears at its own step's target; a later step that draws its place moves it to its end.
Result<std::uint64_t> followInsideOut(TorchGenerator& generator, std::uint64_t size, std::uint64_t id,
                                      const SwapWatch& watch) {
  generator.skip(2 * id);
  std::uint64_t place = generator.random64() % (id + 1);
  InsideOutTargets windows(generator, size);
  for (std::uint64_t i = id + 1; i < size; i += kSwapWindow) {
    if (watch.stops(i - id - 1)) return cancelled();
    const auto targets = windows.next(i);
    if (!holds(targets, place)) continue;
    for (std::size_t k = 0; k < targets.size(); ++k) place = targets[k] == place ? i + k : place;
  }
  return place;
}

Result<void> forward(TorchGenerator& generator, std::span<std::uint32_t> out, const SwapWatch& watch) {
  const auto taken = torchForwardPair(generator, out, watch);
  return taken ? forward<std::uint32_t>(generator, out, watch, *taken) : Result<void>(taken.error());
}

Result<void> forward(TorchGenerator& generator, std::span<std::int64_t> out, const SwapWatch& watch) {
  if (out.size() <= UINT32_MAX) return forward<std::uint32_t>(generator, out, watch);
  return forward<std::uint64_t>(generator, out, watch);
}

template <class T>
Result<void> randperm(TorchGenerator& generator, std::span<T> out, const Work& work, TorchRandpermRule rule) {
  constexpr double kCounted = 0.1;  // about the share of the time that counting takes
  if (auto counted = countUp(out, work.part(0, kCounted)); !counted) return counted;
  const SwapWatch watch(work, out.size(), kCounted, 1);
  if (rule == TorchRandpermRule::InsideOut) return insideOut(generator, out, watch);
  return forward(generator, out, watch);
}

}  // namespace

TorchRandpermRule torchRandpermRule(std::string_view release, std::uint64_t n) {
  const bool old = release == "1.13";
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

Result<std::uint64_t> torchRandpermPlace(TorchGenerator generator, std::uint64_t n, std::uint64_t id, const Work& work,
                                         TorchRandpermRule rule) {
  assert(id < n);
  const SwapWatch watch(work, n, 0, 1);
  if (rule == TorchRandpermRule::InsideOut) return followInsideOut(generator, n, id, watch);
  if (n <= UINT32_MAX) return followForward<std::uint32_t>(generator, n, id, watch);
  return followForward<std::uint64_t>(generator, n, id, watch);
}

}  // namespace shardlens
