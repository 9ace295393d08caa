// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {

enum class BudgetState {
  Kept,      ///< in every epoch that was counted
  Broken,    ///< in one of them
  NotKnown,  ///< what was counted is within the limit, and not all was
};

/// What the plan has of something that the spec limits (check.budgets), in the counted epoch that has most of it.
struct BudgetResult {
  PipelineSpec::Check::Budget budget;
  BudgetState state = BudgetState::Kept;
  std::int64_t count = 0;
  std::int64_t whole = 0;             ///< of which a percentage is: samples, items, batches, epochs or processes
  std::optional<std::int64_t> epoch;  ///< the worst one; nothing of what is no matter of an epoch

  /// In the unit of the budget.
  [[nodiscard]] double found() const;
};

/// Compares the audited plan with each budget of its spec, in their order. `shared` compares all ranks of each audited
/// epoch, up to the limit of rankOverlap(). Cancelled, or the errors of rankOverlap().
Result<std::vector<BudgetResult>> checkBudgets(const Plan& plan, const AuditReport& report, const Work& work = {});

/// Whether a finding of the audit fails the check of this spec.
bool failsCheck(const PipelineSpec& spec, const Finding& finding);

}  // namespace shardlens
