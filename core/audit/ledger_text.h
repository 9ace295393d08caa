// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/ledger.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardlens {

/// "drawn with replacement": the words that follow a count.
std::string_view causeText(RepeatCause cause);
/// "not among the sampler's indices".
std::string_view causeText(MissingCause cause);

/// One part for each cause that has a count, in the order of the causes: "3 000 read by several workers".
std::vector<std::string> repeatsText(const Ledger& ledger);
/// "28 cut by the loader".
std::vector<std::string> missingText(const Ledger& ledger);

}  // namespace shardlens
