// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"

#include <optional>

namespace shardlens {

/// Two collectives of one group to which its members came in different orders: `only_one` are the ranks that came to
/// `one` first, or alone, `only_other` the others. All members are in it and none has left it, or it is one that ranks
/// may leave before others come, as a broadcast. Means something only while no rank makes progress: ranks that go on
/// while their operations do may be in many.
std::optional<Mixed> firstReordered(const CollectiveTable& collectives);

}  // namespace shardlens
