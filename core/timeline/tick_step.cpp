// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/tick_step.h"

#include <array>
#include <cmath>

namespace shardlens {
namespace {

constexpr std::int64_t kNsInSecond = 1'000'000'000;
constexpr std::int64_t kNsInHour = 3'600 * kNsInSecond;

}  // namespace

std::int64_t tickStep(double least_ns) {
  if (least_ns <= kNsInSecond) {
    for (std::int64_t power = 1; power <= kNsInSecond; power *= 10) {
      for (const std::int64_t factor : {1, 2, 5}) {
        if (static_cast<double>(factor * power) >= least_ns) return factor * power;
      }
    }
  }
  constexpr std::array<std::int64_t, 19> kSteps = {
      1,   2,    5,    10,   15,     30,     60,     120,     300,    600,
      900, 1800, 3600, 7200, 21'600, 43'200, 86'400, 172'800, 432'000};  // up to five days
  for (const std::int64_t seconds : kSteps) {
    if (static_cast<double>(seconds * kNsInSecond) >= least_ns) return seconds * kNsInSecond;
  }
  return static_cast<std::int64_t>(std::ceil(least_ns / (240.0 * kNsInHour))) * 240 * kNsInHour;
}

}  // namespace shardlens
