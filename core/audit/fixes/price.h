// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/fixes/judgement.h"

#include <cstdint>
#include <string>

namespace shardlens::fixes {

/// Of which epochs the counts of two judgements hold.
struct Scope {
  std::int64_t first_epoch = 0;  ///< the first audited one
  std::int64_t planned = 1;      ///< how many the plan has
  bool shapes_last = false;      ///< steps that are alike in the audited epochs are alike in all
  bool counts_last = false;      ///< and so is what is missing and repeated
};
Scope scopeOf(const AuditReport& report, const PipelineSpec& present, const PipelineSpec& mended);

/// What changes from the present plan to the fixed one, in the audited epoch in which the fix costs most, of those that
/// have the finding.
Effect effectOf(const Finding& finding, const Scope& scope, const Judgement& present, const Judgement& mended);

/// What gets worse, and whether epochs take more steps or fewer: "3 more samples missing; 12 fewer steps per epoch; new
/// finding: The last batch is short". A number that is not the same in all epochs names the epoch of the effect, and
/// the epoch in which it is worst. Empty when the fix costs nothing; findings about other runs are no price. `effect`
/// is effectOf() the two.
std::string priceOf(const Effect& effect, const Scope& scope, const Judgement& present, const Judgement& mended);

}  // namespace shardlens::fixes
