// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/rank_tracker.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// Whether others came to an operation that this rank never came to, or are steps further and it had not read its epoch
/// to the end.
bool othersWentOn(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives);

/// Whether `waiting` came to an operation to which this rank never came.
bool isMissedBy(std::int64_t waiting, std::int64_t rank, const CollectiveTable& collectives);

/// Whether something shows that this rank, whose process went without a word, had not come to its end. It was in the
/// middle of loading a batch; it waited for others in an operation; or others went on. A process that ends with
/// os._exit() is in none of these.
bool wasCutShort(std::int64_t rank, const std::vector<RankTracker>& trackers, const CollectiveTable& collectives);

}  // namespace shardlens
