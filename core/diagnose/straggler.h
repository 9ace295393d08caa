// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/run_state.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace shardlens {

/// A rank that keeps the others of its group waiting.
struct Straggler {
  std::int64_t rank = 0;
  std::int64_t collectives = 0;  ///< in the window
  std::int64_t last_in = 0;      ///< of these, entered last
  double behind_ms = 0;          ///< median of: its arrival minus the median arrival of the others
  double cost = 0;               ///< that, as a share of the time between collectives
  std::uint32_t group = SL_WORLD;
};

/// Who comes last far more often than chance, all through the window, by more than the others differ among themselves:
/// last in at least 60 % of the collectives (75 % of two ranks), in at least half of each third of the window, and by
/// more than 0.5 ms, 5 % of a step, and three robust spreads of the others. Nobody when there are fewer than six
/// collectives. `rank` is the place in the rows.
std::optional<Straggler> findStraggler(const std::deque<ArrivalRow>& rows);
/// The straggler of the group in which it costs most.
std::optional<Straggler> worstStraggler(const std::map<std::uint32_t, GroupArrivals>& groups);

/// The statistics of every rank of the world over the collectives of all its groups.
std::vector<Arrival> arrivalsOf(const std::map<std::uint32_t, GroupArrivals>& groups, std::int64_t world_size);

}  // namespace shardlens
