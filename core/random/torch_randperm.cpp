// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shardlens {
namespace {

/// Swaps whose targets are known and prefetched before the first of them is done: hides the latency of memory.
constexpr std::size_t kWindow = 256;
constexpr std::size_t kLookEvery = std::size_t{1} << 20;  // swaps between two looks at the stop token, about 15 ms

}  // namespace

Result<void> torchRandperm(TorchGenerator& generator, std::span<std::uint32_t> out, const Work& work) {
  std::iota(out.begin(), out.end(), 0U);
  const std::size_t swaps = out.empty() ? 0 : out.size() - 1;
  std::array<std::uint32_t, kWindow> targets{};
  for (std::size_t i = 0; i < swaps; i += kWindow) {
    const std::size_t count = std::min(kWindow, swaps - i);
    generator.fill(std::span(targets).first(count));
    for (std::size_t k = 0; k < count; ++k) {
      targets[k] = static_cast<std::uint32_t>(i + k + targets[k] % (out.size() - i - k));
      __builtin_prefetch(&out[targets[k]], 1);
    }
    for (std::size_t k = 0; k < count; ++k) std::swap(out[i + k], out[targets[k]]);
    if (i % kLookEvery == 0) {
      if (work.stopped()) return cancelled();
      work.progress(static_cast<double>(i) / static_cast<double>(out.size()));
    }
  }
  return {};
}

}  // namespace shardlens
