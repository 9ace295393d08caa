// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_legacy.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

namespace shardlens {
namespace {

/// Running sums, divided by the last one.
std::vector<double> cumulated(const std::vector<double>& p) {
  std::vector<double> sums(p.size());
  std::partial_sum(p.begin(), p.end(), sums.begin());
  const double total = sums.back();
  for (double& sum : sums) sum /= total;
  return sums;
}

}  // namespace

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

std::uint64_t NumpyLegacy::random53() {
  const std::uint64_t high = engine_.next() >> 5;
  return high << 26 | engine_.next() >> 6;
}

std::vector<std::int64_t> NumpyLegacy::permutation(std::int64_t n) {
  std::vector<std::int64_t> items(static_cast<std::size_t>(n));
  std::iota(items.begin(), items.end(), std::int64_t{0});
  shuffle(std::span(items));
  return items;
}

std::vector<std::int64_t> NumpyLegacy::choice(std::int64_t n, std::size_t size, bool replace) {
  if (!replace) {
    std::vector<std::int64_t> items = permutation(n);
    items.resize(size);
    return items;
  }
  std::vector<std::int64_t> items(size);
  for (std::int64_t& item : items) item = static_cast<std::int64_t>(bounded(static_cast<std::uint64_t>(n - 1)));
  return items;
}

std::vector<std::int64_t> NumpyLegacy::choice(std::vector<double> p, std::size_t size, bool replace) {
  std::vector<std::int64_t> items;
  std::vector<double> draws;
  while (items.size() < size) {
    draws.resize(size - items.size());
    for (double& draw : draws) draw = random();
    const std::vector<double> sums = cumulated(p);
    for (const double draw : draws) {
      const auto at = std::ranges::upper_bound(sums, draw) - sums.begin();
      const auto place = static_cast<std::size_t>(at);
      // Without replacement a round keeps the first of equal draws; the next round draws the missing ones.
      if (replace || p[place] > 0) items.push_back(at);
      if (!replace) p[place] = 0;
    }
  }
  return items;
}

double numpySum(std::span<const double> a) {
  if (a.size() < 8) return std::accumulate(a.begin(), a.end(), 0.0);
  if (a.size() > 128) {
    const std::size_t half = a.size() / 2 - a.size() / 2 % 8;
    return numpySum(a.first(half)) + numpySum(a.subspan(half));
  }
  double r[8];
  std::copy_n(a.begin(), 8, r);
  std::size_t i = 8;
  for (; i + 8 <= a.size(); i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) r[lane] += a[i + lane];
  }
  double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < a.size(); ++i) sum += a[i];
  return sum;
}

}  // namespace shardlens
