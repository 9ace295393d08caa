// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_permutation.h"

#include "core/random/swap_windows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardlens {

Result<void> numpyPermutation(NumpyGenerator& generator, std::span<std::uint32_t> out, const Work& work) {
  constexpr double kCounted = 0.1;  // about the share of the time that counting takes
  if (auto counted = countUp(out, SwapWatch(work, out.size(), 0, kCounted)); !counted) return counted;
  const SwapWatch watch(work, out.size(), kCounted, 1);
  std::array<std::uint32_t, kSwapWindow> targets{};
  for (std::size_t done = 0; done + 1 < out.size(); done += kSwapWindow) {
    if (watch.stops(done)) return cancelled();
    const std::size_t last = out.size() - 1 - done;
    const auto window = std::span(targets).first(std::min(kSwapWindow, last));
    generator.drawSwaps(last, window);
    takeAhead(out, std::span<const std::uint32_t>(window),
              [&](std::size_t k) { std::swap(out[last - k], out[window[k]]); });
  }
  return {};
}

}  // namespace shardlens
