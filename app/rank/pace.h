// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shardlens::rank {

/// Waits as a rank waits for its loader: asleep, since the work is elsewhere.
void loadFor(double ms);

/// Computes for this long by the clock. `crowded`: there are more ranks than cores, so the core is offered to the
/// others every some microseconds; else it is kept.
void computeFor(double ms, bool crowded);

}  // namespace shardlens::rank
