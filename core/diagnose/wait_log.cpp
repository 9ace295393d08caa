// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/collective_table.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace shardlens {
namespace {

constexpr std::size_t kMostWaits = 64;  ///< of a rank
constexpr std::int64_t kShortNs = 10'000;

}  // namespace

void WaitLog::add(std::int64_t rank, const Interval& wait) {
  if (wait.to_ns - wait.from_ns < kShortNs) return;
  auto& waits = waits_[rank];
  waits.push_back(wait);
  if (waits.size() > kMostWaits) waits.pop_front();
}

void WaitLog::remove(std::int64_t rank, const Interval& wait) {
  auto& waits = waits_[rank];
  const auto found = std::find(waits.rbegin(), waits.rend(), wait);
  if (found != waits.rend()) waits.erase(std::next(found).base());
}

std::int64_t WaitLog::within(std::int64_t rank, std::int64_t after_ns, std::int64_t until_ns) const {
  const auto found = waits_.find(rank);
  if (found == waits_.end()) return 0;
  std::vector<Interval> inside;
  for (const Interval& wait : found->second) {
    const Interval part{std::max(wait.from_ns, after_ns), std::min(wait.to_ns, until_ns)};
    if (part.from_ns < part.to_ns) inside.push_back(part);
  }
  std::sort(inside.begin(), inside.end(), [](const Interval& a, const Interval& b) { return a.from_ns < b.from_ns; });
  std::int64_t sum = 0;
  std::int64_t counted_to = after_ns;
  for (const Interval& part : inside) {
    sum += std::max<std::int64_t>(0, part.to_ns - std::max(part.from_ns, counted_to));
    counted_to = std::max(counted_to, part.to_ns);
  }
  return sum;
}

}  // namespace shardlens
