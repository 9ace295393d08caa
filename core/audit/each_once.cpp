// SPDX-License-Identifier: Apache-2.0
#include "core/audit/each_once.h"

#include "core/base/wide.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace shardlens {
namespace {

constexpr std::size_t kSummedAtOnce = 4096;         ///< ids that are summed at once
constexpr std::int64_t kIdsBetweenLooks = 1 << 20;  ///< well below a millisecond

/// SplitMix64's way to scramble a number: sums of the results depend on every bit of each.
[[gnu::always_inline]] inline std::uint64_t scrambled(std::uint64_t id) {
  std::uint64_t bits = (id + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
  bits ^= bits >> 32;
  bits *= 0x94D049BB133111EB;
  return bits ^ (bits >> 29);
}

/// The sum over these ids, less that over `first`, `first` + 1, ...; kSummedAtOnce of each.
[[gnu::always_inline]] inline std::uint64_t difference(const std::uint32_t* ids, std::uint64_t first) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kSummedAtOnce; ++i) sum += scrambled(ids[i]) - scrambled(first + i);
  return sum;
}

std::uint64_t differencePortable(const std::uint32_t* ids, std::uint64_t first) {
  return difference(ids, first);
}

/// Several times as fast.
SHARDLENS_WIDE std::uint64_t differenceWide(const std::uint32_t* ids, std::uint64_t first) {
  return difference(ids, first);
}

}  // namespace

Result<bool> holdsEachOnce(const Order& order, const Work& work) {
  const std::span<const std::uint32_t> ids = order.narrowIds();
  const auto take = hasWideVectors() ? differenceWide : differencePortable;
  std::uint64_t sum = 0;
  std::size_t done = 0;
  for (; done + kSummedAtOnce <= ids.size(); done += kSummedAtOnce) {
    if (done % kIdsBetweenLooks == 0 && work.stopped()) return cancelled();
    sum += take(ids.data() + done, done);
  }
  for (auto place = static_cast<std::int64_t>(done); place < order.size(); ++place) {
    if (place % kIdsBetweenLooks == 0 && work.stopped()) return cancelled();
    sum += scrambled(static_cast<std::uint64_t>(order[place])) - scrambled(static_cast<std::uint64_t>(place));
  }
  return sum == 0;
}

}  // namespace shardlens
