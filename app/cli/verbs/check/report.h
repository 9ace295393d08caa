// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "core/audit/budget.h"
#include "core/yaml/spec_reader.h"

#include <string>
#include <vector>

namespace shardlens::cli {

/// One thing that the plan was held against: a budget of the spec, or a finding that the audit may not have.
struct CheckLine {
  std::string code;     ///< "budget-padded", or the code of the finding
  std::string title;    ///< what is demanded: "at most 0.1 % of the items are padding"
  std::string message;  ///< what the plan has, with the epoch
  std::string fix;      ///< what mends a finding; empty for budgets
  std::string field;    ///< of the spec that it is about; may be empty
  BudgetState state = BudgetState::Kept;
};

/// The answer of `shardlens check`.
struct CheckReport {
  std::string name;  ///< of the design
  std::string file;
  std::int64_t counted = 0, planned = 0;  ///< epochs
  std::vector<CheckLine> lines;           ///< budgets in the order of the spec, then findings

  /// Every line is kept: what is not known passes no check.
  [[nodiscard]] bool passes() const;
};

CheckReport checkReport(const Plan& plan, const AuditReport& audit, const std::vector<BudgetResult>& budgets,
                        const std::string& file);

/// A line for each, the broken ones first.
void writeCheckText(Output& out, const CheckReport& report);
/// The object that resources/schemas/check.schema.json describes.
void writeCheckJson(Output& out, const CheckReport& report);
/// One test case a line; what is broken or not known is a failure.
void writeCheckJunit(Output& out, const CheckReport& report);
/// SARIF 2.1.0, which code hosts show beside the lines of the spec.
void writeCheckSarif(Output& out, const CheckReport& report, const yaml::ReadSpec& read);

}  // namespace shardlens::cli
