// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"

#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace shardlens {

std::uint64_t NumpyLegacy::bounded(std::uint64_t most) {
  if (most == 0) return 0;
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(most);
  const bool narrow = most <= std::numeric_limits<std::uint32_t>::max();
  for (;;) {
    std::uint64_t value = engine_.next();
    if (!narrow) value = value << 32 | engine_.next();
    if ((value & mask) <= most) return value & mask;
  }
}

std::vector<std::int64_t> NumpyLegacy::permutation(std::int64_t n) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(n));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[bounded(i)]);
  return items;
}

}  // namespace shardlens
