// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_sum.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace shardlens {

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
