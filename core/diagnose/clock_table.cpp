// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/clock_table.h"

#include <algorithm>

namespace shardlens {

bool EventClock::bring(std::uint64_t& time_ns) const {
  if (time_ns >= static_cast<std::uint64_t>(kLatestNs)) return false;
  const std::int64_t brought = static_cast<std::int64_t>(time_ns) + shift_ns;
  if (brought < 0 || brought >= kLatestNs) return false;
  time_ns = static_cast<std::uint64_t>(brought);
  return true;
}

void ClockTable::learn(const RunClock& clock) {
  if (clock.clock == 0 || !clock.offset) return;
  const auto [offset_ns, error_ns] = *clock.offset;
  if (offset_ns <= -kLatestNs || offset_ns >= kLatestNs || error_ns < 0) return;
  Clock& known = clocks_[clock.clock];
  known.shift_ns = -offset_ns;
  known.error_ns = error_ns;
  known.is_known = true;
}

EventClock ClockTable::at(std::uint32_t clock, std::int64_t time_ns, std::int64_t now_ns) {
  if (clock == 0) return {};
  Clock& one = clocks_[clock];
  if (time_ns < 0 || time_ns >= kLatestNs) return {one.is_known ? 0 : clock, one.shift_ns};
  if (!one.is_used && !one.is_known) one.shift_ns = now_ns - time_ns;
  one.is_used = true;
  return {one.is_known ? 0 : clock, one.shift_ns};
}

std::optional<double> ClockTable::errorUs() const {
  std::int64_t worst_ns = 0;
  std::int64_t second_ns = 0;
  for (const auto& [number, clock] : clocks_) {
    if (!clock.is_used) continue;
    if (!clock.is_known) return std::nullopt;
    second_ns = std::max(second_ns, std::min(worst_ns, clock.error_ns));
    worst_ns = std::max(worst_ns, clock.error_ns);
  }
  return static_cast<double>(worst_ns + second_ns) / 1000;
}

}  // namespace shardlens
