// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_permutation.h"

#include "core/random/swap_windows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens {

namespace {

template <class Index, class T>
Result<void> shuffle(NumpyGenerator& generator, std::span<T> items, const SwapWatch& watch) {
  std::array<Index, kSwapWindow> targets{};
  for (std::size_t done = 0; done + 1 < items.size(); done += kSwapWindow) {
    if (watch.stops(done)) return cancelled();
    const std::size_t last = items.size() - 1 - done;
    const auto window = std::span(targets).first(std::min(kSwapWindow, last));
    generator.drawSwaps(last, window);
    takeAhead(items, std::span<const Index>(window),
              [&](std::size_t k) { std::swap(items[last - k], items[window[k]]); });
  }
  return {};
}

}  // namespace

Result<void> numpyPermutation(NumpyGenerator& generator, std::span<std::uint32_t> out, const Work& work) {
  constexpr double kCounted = 0.1;  // about the share of the time that counting takes
  if (auto counted = countUp(out, work.part(0, kCounted)); !counted) return counted;
  return shuffle<std::uint32_t>(generator, out, SwapWatch(work, out.size(), kCounted, 1));
}

Result<void> numpyShuffle(NumpyGenerator& generator, std::span<std::uint32_t> items, const Work& work) {
  return shuffle<std::uint32_t>(generator, items, SwapWatch(work, items.size(), 0, 1));
}

Result<void> numpyShuffle(NumpyGenerator& generator, std::span<std::int64_t> items, const Work& work) {
  return shuffle<std::uint64_t>(generator, items, SwapWatch(work, items.size(), 0, 1));
}

Result<void> numpyShuffle(NumpyLegacy& generator, std::span<std::uint32_t> items, const Work& work) {
  const SwapWatch watch(work, items.size(), 0, 1);
  for (std::size_t i = items.size(); i-- > 1;) {
    if (watch.stops(items.size() - 1 - i)) return cancelled();
    std::swap(items[i], items[generator.bounded(i)]);
  }
  return {};
}

}  // namespace shardlens
