// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/event.h"

#include <cstdint>
#include <map>
#include <optional>

namespace shardlens {

/// Four years of a monotonic clock: a longer time is damage, and would overflow sums.
constexpr std::int64_t kLatestNs = std::int64_t{1} << 57;

/// How the times of one event become times of the reference clock.
struct EventClock {
  std::uint32_t number = 0;   ///< 0 = its times can be compared with the reference's; otherwise only with each other
  std::int64_t shift_ns = 0;  ///< to add

  /// False, and nothing is changed, when the time is not credible.
  [[nodiscard]] bool bring(std::uint64_t& time_ns) const;
};

/// The clocks of a run's events: clock 0 is the reference, and others are as far from it as a RunClock says. A clock
/// whose offset is not known is set so that its first event comes now: good enough to show, never to compare.
class ClockTable {
 public:
  void learn(const RunClock& clock);
  /// The clock of an event; `now_ns` is the latest time of the reference so far.
  EventClock at(std::uint32_t clock, std::int64_t time_ns, std::int64_t now_ns);
  /// The largest error of a difference between two ranks' times. Nothing: the offset of a clock is not known.
  [[nodiscard]] std::optional<double> errorUs() const;

 private:
  struct Clock {
    std::int64_t shift_ns = 0;
    std::int64_t error_ns = 0;
    bool is_known = false;
    bool is_used = false;
  };
  std::map<std::uint32_t, Clock> clocks_;  ///< without the reference
};

}  // namespace shardlens
