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
  std::int64_t collectives = 0, left_out = 0;  ///< left_out: as TimeLost has it
  double lost_ms = 0;                          ///< time of all ranks spent waiting
  double spread_ms = 0;                        ///< mean time from the middle arrival to the last
  double share = 0;                            ///< of the whole time: the part that passes between these two
  double most_last = 0;      ///< share of the collectives that the most frequent last rank entered last
  double best_alone_ms = 0;  ///< the most that fixing one rank gains
};

/// One member comes late now and then, and most of the waiting is for it. This is reported as an observation; `chance`
/// says how often it would happen if members were interchangeable.
struct SometimesLate {
  std::int64_t rank = 0;
  std::int64_t from_ns = 0, to_ns = 0;      ///< from before the first of these waits to the end of the last
  std::int64_t times = 0, collectives = 0;  ///< how often, of how many
  std::int64_t left_out = 0;                ///< as TimeLost has it
  std::uint32_t epoch = 0, step = 0;        ///< of the first time
  double typical_ms = 0;                    ///< median of: from when the next latest came until it did
  double lost_ms = 0, all_lost_ms = 0;      ///< of all ranks' waits: in these collectives, and in all
  double gain_ms = 0;                       ///< had it come with the next latest
  double share = 0;                         ///< of the whole time
  double chance = 1;
};

/// Looks at the fewest collectives that hold four fifths of all waiting: the member that came last in most of them, and
/// every collective in which a last member came later than half of what is usual in these (and than `least_ms`). Told
/// when they are less than two thirds of the collectives, and this member's are three or more that do not follow each
/// other, hold most of the waiting, and cost 5 % of the time and half a second; and when chance does this in less than
/// one run of 500.
std::optional<SometimesLate> sometimesLateOf(const TimeLost& lost, double least_ms);

/// Nothing when less than a fifth of the time is lost in this way, when the last one is typically less than `least_ms`
/// after the middle one, or in a run of less than 30 collectives or half a second.
std::optional<Wandering> wanderingOf(const TimeLost& lost, double least_ms);

/// Waits of two seconds and more for one rank, and ten times as long as a collective usually takes; of half a second
/// and more where those for the same rank take a twentieth of the run together.
std::vector<Pause> pausesOf(const TimeLost& lost);

}  // namespace shardlens
