// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs/check/report.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace shardlens::cli {
namespace {

/// How the sentences name what a budget limits, and what it is counted in.
struct Words {
  const char* of;
  const char* title;
  const char* whole;
  const char* unknown = "";  ///< what it means that not all is known
};

constexpr std::array kWords = {
    Words{"missing", "Missing samples", "samples"},
    Words{"repeated", "Repeated readings, padding not counted", "items"},
    Words{"padded", "Padding", "items"},
    Words{"shared", "Samples that two ranks share", "samples of one of them", "not all ranks could be compared."},
    Words{"uneven", "Batches that the shortest rank has less than the longest", "batches"},
    Words{"same_epochs", "Epochs that repeat an earlier one", "epochs", "not all epochs could be compared."},
    Words{"colliding_seeds", "Processes with the seed of another one", "processes",
          "not every process has a known seed."},
};

const Words& wordsOf(const PipelineSpec::Check::Budget& budget) {
  return *std::ranges::find(kWords, budget.of, &Words::of);
}

std::string number(double value) {
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// "Padding: at most 0.1 %"
std::string titleOf(const PipelineSpec::Check::Budget& budget) {
  const bool is_percent = budget.unit == "percent";
  const bool is_whole = budget.most == std::floor(budget.most) && budget.most < 1e15;
  return std::string(wordsOf(budget).title) + ": at most " +
         (is_whole ? grouped(static_cast<std::int64_t>(budget.most)) : number(budget.most)) + (is_percent ? " %" : "");
}

/// "1 of 104 items (0.962 %) in epoch 0."
std::string messageOf(const BudgetResult& result) {
  std::string text = grouped(result.count);
  if (result.whole > 0) {
    const double percent = 100 * static_cast<double>(result.count) / static_cast<double>(result.whole);
    text += " of " + grouped(result.whole) + " " + wordsOf(result.budget).whole + " (" + number(percent) + " %)";
  }
  if (result.epoch) text += " in epoch " + std::to_string(*result.epoch);
  if (result.state != BudgetState::NotKnown) return text + ".";
  return text + " as far as is known: " + wordsOf(result.budget).unknown;
}

CheckLine lineOf(const BudgetResult& result, std::size_t index) {
  std::string code = "budget-" + result.budget.of;
  std::ranges::replace(code, '_', '-');
  return {code,        titleOf(result.budget), messageOf(result), {}, "check.budgets[" + std::to_string(index) + "]",
          result.state};
}

CheckLine lineOf(const Finding& finding) {
  const Fix* fix = finding.fix();
  return {
      finding.code,        finding.title,      finding.message + " " + finding.why, fix == nullptr ? "" : fix->label,
      finding.where.field, BudgetState::Broken};
}

}  // namespace

bool CheckReport::passes() const {
  return std::ranges::all_of(lines, [](const CheckLine& line) { return line.state == BudgetState::Kept; });
}

CheckReport checkReport(const Plan& plan, const AuditReport& audit, const std::vector<BudgetResult>& budgets,
                        const std::string& file) {
  CheckReport report{plan.spec().name, file, static_cast<std::int64_t>(audit.coverage.size()), plan.epochs(), {}};
  for (std::size_t i = 0; i < budgets.size(); ++i) report.lines.push_back(lineOf(budgets[i], i));
  for (const Finding& finding : audit.findings) {
    if (failsCheck(plan.spec(), finding)) report.lines.push_back(lineOf(finding));
  }
  return report;
}

}  // namespace shardlens::cli
