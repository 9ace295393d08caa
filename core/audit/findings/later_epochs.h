// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <vector>

namespace shardlens {

/// Lets the rules judge the audited epochs after the first, and adds to `findings`, those of `first`, what is worse
/// there: a finding with the same code is about the worst epoch. A finding that is not the same in all epochs names its
/// epochs; so does each one where epochs that were not audited may differ.
void addLaterEpochs(const Facts& first, std::vector<Finding>& findings);

}  // namespace shardlens
