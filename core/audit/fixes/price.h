// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/fixes/judgement.h"

#include <string>
#include <vector>

namespace shardlens::fixes {

/// What changes from the present plan to the mended one, in the audited epoch in which the fix costs most.
Effect effectOf(std::int64_t first_epoch, const Judgement& present, const Judgement& mended);

/// What gets worse: "3 more samples missing; new finding: The last batch is short". Empty when nothing does; what is
/// said of other runs is no price. `after` are the findings of the mended plan.
std::string priceOf(const Effect& effect, const std::vector<Finding>& after);

}  // namespace shardlens::fixes
