// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/rule_search.h"

#include <string>
#include <vector>

/// What is said about the rules that give recorded ids.
namespace shardlens::words {

/// Which rule gives the ids, what was compared, and which others give the same; or that none does.
std::vector<std::string> rulesFound(const capture::RuleSearch& search);

/// "sampler: {type: torch.DistributedSampler, shuffle: true, seed: 3, set_epoch: false}"
std::string ruleText(const capture::RuleMatch& match);

}  // namespace shardlens::words
