// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <optional>
#include <vector>

/// Time that is lost by waiting although no rank is slow.
namespace shardlens {

/// Much is lost, and the last one changes.
struct Wandering {
  std::int64_t from_ns = 0, to_ns = 0;
  std::int64_t collectives = 0;
  double lost_ms = 0;        ///< time of all ranks spent waiting
  double spread_ms = 0;      ///< mean time from the middle arrival to the last
  double share = 0;          ///< of the whole time: the part that passes between these two
  double most_last = 0;      ///< share of the collectives that the most frequent last rank entered last
  double best_alone_ms = 0;  ///< the most that fixing one rank gains
};

/// All ranks waited long for one rank, once.
struct Pause {
  std::int64_t rank = 0;
  std::int64_t from_ns = 0, to_ns = 0;  ///< from when the next latest came until it did
  double lost_ms = 0;
  std::uint32_t epoch = 0, step = 0;
};

/// Nothing when less than a fifth of the time is lost in this way, when the last one is typically less than `least_ms`
/// after the middle one, or in a run of less than 30 collectives or half a second.
std::optional<Wandering> wanderingOf(const TimeLost& lost, double least_ms);

/// Waits of two seconds and more for one rank, and ten times as long as a collective usually takes.
std::vector<Pause> pausesOf(const TimeLost& lost);

}  // namespace shardlens
