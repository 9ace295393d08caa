// SPDX-License-Identifier: Apache-2.0
#include "core/random/mt19937.h"
#include "core/sampling/ffcv/traversal_order.h"

#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

namespace shardlens::sampling {
namespace {

/// A whole number up to `most` by numba's `random`: the highest bits of an output, drawn again while too large.
std::uint32_t byHighBits(Mt19937& engine, std::uint32_t most) {
  const int bits = std::bit_width(most + 1);
  std::uint32_t value = 0;
  do value = engine.next() >> (32 - bits);
  while (value > most);
  return value;
}

/// The same by numba's `np.random`: the lowest bits.
std::uint32_t byLowBits(Mt19937& engine, std::uint32_t most) {
  if (most == 0) return 0;
  const std::uint32_t mask = (std::uint32_t{1} << std::bit_width(most)) - 1;
  std::uint32_t value = 0;
  do value = engine.next() & mask;
  while (value > most);
  return value;
}

template <class T, class Draw>
void shuffle(std::vector<T>& items, Draw draw) {
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[draw(static_cast<std::uint32_t>(i))]);
}

}  // namespace

std::vector<std::int64_t> FfcvPages::call(std::int64_t seed, std::int64_t epoch) {
  const auto mixed =
      static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed) * 912300 + static_cast<std::uint64_t>(epoch));
  Mt19937 of_random(mixed);
  Mt19937 of_numpy(mixed);
  std::size_t left = 0;
  for (auto& page : pages_) {
    shuffle(page, [&](std::uint32_t most) { return byHighBits(of_random, most); });
    left += page.size();
  }
  std::vector<std::size_t> order(pages_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, [&](std::uint32_t most) { return byLowBits(of_numpy, most); });
  struct Open {
    std::size_t page = 0;
    std::size_t next = 0;
  };
  std::vector<Open> open;
  std::vector<std::int64_t> samples;
  for (std::size_t next_page = 0; left > 0; --left) {
    while (std::ssize(open) < slots_ && next_page < order.size()) {
      const std::size_t page = order[next_page++];
      if (!pages_[page].empty()) open.push_back({page, 0});
    }
    const std::size_t slot = byLowBits(of_numpy, static_cast<std::uint32_t>(open.size() - 1));
    Open& taken = open[slot];
    samples.push_back(pages_[taken.page][taken.next++]);
    if (taken.next == pages_[taken.page].size()) open.erase(open.begin() + static_cast<std::ptrdiff_t>(slot));
  }
  return samples;
}

}  // namespace shardlens::sampling
