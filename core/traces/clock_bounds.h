// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/traces/foreign_job.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::traces {

/// How far the clock of a rank is from that of the first rank that has a trace.
struct ClockBound {
  std::int64_t offset_ns = 0;  ///< a time of this clock minus the same moment of the first one's
  std::int64_t error_ns = 0;
};

/// The bounds that the operations themselves give, for each of `job.ranks`: where all wait for all, no rank is seen to
/// have left before each has called. An offset of 0 is believed where it is possible, since hosts usually keep the time
/// of day. Nothing where no operations join the rank to the others, or where they contradict each other.
std::vector<std::optional<ClockBound>> clockBounds(const ForeignJob& job);

}  // namespace shardlens::traces
