// SPDX-License-Identifier: Apache-2.0
#include "core/audit/budget.h"

#include <algorithm>
#include <map>
#include <string>

namespace shardlens {
namespace {

/// What one epoch has, and of how many.
struct Found {
  std::int64_t count = 0;
  std::int64_t whole = 0;
};

double in(const std::string& unit, std::int64_t count, std::int64_t whole) {
  const auto number = static_cast<double>(count);
  if (unit != "percent") return number;
  return whole > 0 ? 100 * number / static_cast<double>(whole) : 0;
}

/// Keeps the worst.
void add(BudgetResult& result, Found found, std::int64_t epoch) {
  const bool is_worse = !result.epoch || in(result.budget.unit, found.count, found.whole) > result.found();
  if (!is_worse) return;
  result.count = found.count;
  result.whole = found.whole;
  result.epoch = epoch;
}

Found foundIn(const Ledger& ledger, const std::string& of) {
  if (of == "missing") return {ledger.missing, ledger.dataset_size};
  if (of == "padded") return {ledger.padding(), ledger.handed_out};
  return {ledger.handed_out - ledger.seen - ledger.padding(), ledger.handed_out};
}

Found unevenIn(const std::vector<std::int64_t>& batches) {
  const auto [fewest, most] = std::ranges::minmax_element(batches);
  return batches.empty() ? Found{} : Found{*most - *fewest, *most};
}

/// Of the two ranks that share most of what one of them has, and do not divide one copy of the model.
Found sharedIn(const PipelineSpec::World& world, const Overlap& ranks, const std::string& unit) {
  Found most;
  for (std::int64_t a = 0; a < ranks.size; ++a) {
    for (std::int64_t b = a + 1; b < ranks.size; ++b) {
      if (world.dataParallelRankOf(Rank{a}) == world.dataParallelRankOf(Rank{b})) continue;
      const Found pair{ranks.at(a, b), std::min(ranks.at(a, a), ranks.at(b, b))};
      if (in(unit, pair.count, pair.whole) > in(unit, most.count, most.whole)) most = pair;
    }
  }
  return most;
}

Result<bool> addShared(const Plan& plan, const AuditReport& report, BudgetResult& result, const Work& work) {
  bool is_whole = true;
  for (const Ledger& ledger : report.coverage) {
    const bool is_first = &ledger == &report.coverage.front();
    const auto ranks =
        is_first ? Result<Overlap>(report.ranks) : rankOverlap(plan, Epoch{ledger.epoch}, ledger.missing == 0, work);
    if (!ranks) return ranks.error();
    add(result, sharedIn(plan.spec().world, *ranks, result.budget.unit), ledger.epoch);
    is_whole = is_whole && ranks->size == plan.worldSize();
  }
  return is_whole;
}

/// Processes of each audited epoch whose stream another one of the same kind has too.
bool addSeeds(const Plan& plan, const AuditReport& report, BudgetResult& result) {
  const auto epochs = static_cast<std::int64_t>(report.coverage.size());
  const SeedTable seeds = seedTable(plan, epochs, Epoch{report.coverage.front().epoch});
  std::vector<bool> has_twin(seeds.rows.size());
  for (std::size_t i = 0; i < seeds.rows.size(); ++i) {
    if (seeds.rows[i].equal_to < 0) continue;
    has_twin[i] = true;
    has_twin[static_cast<std::size_t>(seeds.rows[i].equal_to)] = true;
  }
  std::map<std::int64_t, Found> by_epoch;
  for (std::size_t i = 0; i < seeds.rows.size(); ++i) {
    Found& found = by_epoch[seeds.rows[i].epoch];
    found.count += has_twin[i] ? 1 : 0;
    ++found.whole;
  }
  for (const auto& [epoch, found] : by_epoch) add(result, found, epoch);
  return !seeds.ranks_unknown && !seeds.workers_unknown && !seeds.truncated && seeds.ranks == plan.worldSize() &&
         seeds.epochs == epochs;
}

/// Whether everything was counted that the budget is about in the audited epochs.
Result<bool> count(const Plan& plan, const AuditReport& report, BudgetResult& result, const Work& work) {
  const std::string& of = result.budget.of;
  if (of == "shared") return addShared(plan, report, result, work);
  if (of == "same_epochs") {
    const EpochRepeats& repeats = report.repeats;
    result.whole = repeats.epochs;
    for (std::size_t i = 0; i < repeats.same_as.size(); ++i)
      result.count += repeats.same_as[i] != repeats.first_epoch + static_cast<std::int64_t>(i) ? 1 : 0;
    return repeats.first_epoch + repeats.epochs > report.coverage.back().epoch;
  }
  if (of == "colliding_seeds") return addSeeds(plan, report, result);
  if (of == "uneven") {
    for (std::size_t i = 0; i < report.batches.size(); ++i)
      add(result, unevenIn(report.batches[i]), report.coverage[i].epoch);
    return true;
  }
  for (const Ledger& ledger : report.coverage) add(result, foundIn(ledger, of), ledger.epoch);
  return true;
}

}  // namespace

double BudgetResult::found() const {
  return in(budget.unit, count, whole);
}

Result<std::vector<BudgetResult>> checkBudgets(const Plan& plan, const AuditReport& report, const Work& work) {
  std::vector<BudgetResult> results;
  for (const PipelineSpec::Check::Budget& budget : plan.spec().check.budgets) {
    BudgetResult& result = results.emplace_back();
    result.budget = budget;
    const auto is_whole = count(plan, report, result, work);
    if (!is_whole) return is_whole.error();
    result.state = result.found() > budget.most ? BudgetState::Broken
                   : *is_whole                  ? BudgetState::Kept
                                                : BudgetState::NotKnown;
  }
  return results;
}

bool failsCheck(const PipelineSpec& spec, const Finding& finding) {
  if (finding.is_proof || spec.check.findings == "none") return false;
  return finding.severity == Severity::Error ||
         (spec.check.findings == "warning" && finding.severity == Severity::Warning);
}

}  // namespace shardlens
