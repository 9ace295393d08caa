// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/fixes/judgement.h"

#include <string>
#include <vector>

namespace shardlens::fixes {

/// What changes from the present plan to the fixed one, in the audited epoch in which the fix costs most.
Effect effectOf(std::int64_t first_epoch, const Judgement& present, const Judgement& mended);

/// What gets worse, and whether epochs take more steps or fewer: "3 more samples missing; 12 fewer steps per epoch; new
/// finding: The last batch is short". Empty when it costs nothing. A single step more or fewer is only
/// rounding; findings about other runs are no price. `effect` is effectOf() the two.
std::string priceOf(const Effect& effect, const Judgement& present, const Judgement& mended);

}  // namespace shardlens::fixes
