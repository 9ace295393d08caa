// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"

#include <optional>

namespace shardlens {

/// Two collectives of one group in which all members are and which none has left, and to which they came in different
/// orders: `only_one` are the ranks that came to `one` first, `only_other` the others. Means something only while no
/// rank makes progress: ranks that go on while their operations do may be in many.
std::optional<Mixed> firstReordered(const CollectiveTable& collectives);

}  // namespace shardlens
