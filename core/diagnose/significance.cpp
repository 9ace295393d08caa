// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens {
namespace {

/// ln(n!); std::lgamma is not for two threads at once.
double lnFactorial(std::size_t n) {
  if (n < 2) return 0;
  if (n < 32) return std::log(static_cast<double>(n)) + lnFactorial(n - 1);
  constexpr double kHalfLnTwoPi = 0.91893853320467274;
  const auto x = static_cast<double>(n);
  return (x + 0.5) * std::log(x) - x + kHalfLnTwoPi + 1 / (12 * x);
}

}  // namespace

double lnChoose(std::size_t all, std::size_t chosen) {
  if (chosen == 0 || chosen >= all) return 0;
  return std::max(0.0, lnFactorial(all) - lnFactorial(chosen) - lnFactorial(all - chosen));
}

double lnAtLeast(std::size_t trials, std::size_t hits, double ln_chance) {
  if (hits == 0) return 0;
  if (hits > trials) return -std::numeric_limits<double>::infinity();
  const double ln_miss = std::log1p(-std::min(std::exp(ln_chance), 1 - 1e-12));
  double sum = -std::numeric_limits<double>::infinity();
  for (std::size_t count = hits; count <= trials; ++count) {
    const double term = lnChoose(trials, count) + static_cast<double>(count) * ln_chance +
                        static_cast<double>(trials - count) * ln_miss;
    const double high = std::max(sum, term);
    sum = high + std::log(std::exp(sum - high) + std::exp(term - high));
  }
  return std::min(0.0, sum);
}

}  // namespace shardlens
