// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/run_state.h"
#include "core/diagnose/time_lost.h"

#include <cstdint>
#include <map>
#include <vector>

namespace shardlens {

/// The statistics of every rank of the world over the last collectives of all its groups.
std::vector<Arrival> arrivalsOf(const std::map<std::uint32_t, TimeLost>& groups, std::int64_t world_size);

}  // namespace shardlens
