// SPDX-License-Identifier: Apache-2.0
#include "core/audit/budget.h"

#include "core/audit/audit.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;

namespace {

using Budget = PipelineSpec::Check::Budget;

PipelineSpec gate(std::vector<Budget> budgets) {
  PipelineSpec spec;
  spec.dataset.size = 103;
  spec.world = {1, 4};
  spec.loader.batch_size = 8;
  spec.epochs = 3;
  spec.check.budgets = std::move(budgets);
  return spec;
}

std::vector<BudgetResult> resultsOf(const PipelineSpec& spec) {
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  AuditOptions options;
  options.epochs = spec.epochs;
  options.fixes = false;
  const auto report = audit(*plan, options);
  REQUIRE(report);
  const auto results = checkBudgets(*plan, *report);
  REQUIRE(results);
  return *results;
}

BudgetResult one(const PipelineSpec& spec) {
  const auto results = resultsOf(spec);
  REQUIRE(results.size() == 1);
  return results.front();
}

}  // namespace

TEST_CASE("a budget is kept up to its limit, as a count and as a percentage") {
  // 103 samples on four ranks: one is padded in each epoch.
  CHECK(one(gate({{"padded", 1, "count"}})).state == BudgetState::Kept);
  const BudgetResult broken = one(gate({{"padded", 0, "count"}}));
  CHECK(broken.state == BudgetState::Broken);
  CHECK(broken.count == 1);
  CHECK(broken.whole == 104);
  CHECK(broken.epoch == 0);
  CHECK(broken.found() == 1);
  CHECK(one(gate({{"padded", 0.97, "percent"}})).state == BudgetState::Kept);
  CHECK(one(gate({{"padded", 0.96, "percent"}})).state == BudgetState::Broken);
  CHECK(one(gate({{"padded", 0.96, "percent"}})).found() == doctest::Approx(100.0 / 104));
}

TEST_CASE("each kind of budget counts what it names") {
  PipelineSpec spec = gate({{"missing", 0, "count"}, {"repeated", 0, "count"}, {"uneven", 0, "count"}});
  for (const BudgetResult& result : resultsOf(spec)) CHECK(result.state == BudgetState::Kept);
  spec.loader.drop_last = true;  // 26 items a rank: 2 of them are thrown away
  spec.check.budgets = {{"missing", 0, "count"}};
  CHECK(one(spec).state == BudgetState::Broken);
  CHECK(one(spec).whole == 103);

  PipelineSpec alike = gate({{"shared", 0, "count"}, {"repeated", 0, "percent"}});
  alike.sampler.type = "torch.SequentialSampler";
  const auto shared = resultsOf(alike);
  CHECK(shared[0].count == 103);
  CHECK(shared[0].whole == 103);
  CHECK(shared[1].found() == doctest::Approx(75));

  PipelineSpec frozen = gate({{"same_epochs", 1, "count"}});
  frozen.sampler.parameters["set_epoch"] = false;
  CHECK(one(frozen).count == 2);
  CHECK(one(frozen).whole == 3);
  CHECK_FALSE(one(frozen).epoch);
  CHECK(one(gate({{"same_epochs", 0, "count"}})).state == BudgetState::Kept);

  PipelineSpec seeds = gate({{"colliding_seeds", 0, "percent"}});
  CHECK(one(seeds).count == 4);
  CHECK(one(seeds).found() == 100);
  seeds.seeds.rule = "base+rank";
  CHECK(one(seeds).state == BudgetState::Kept);
}

TEST_CASE("seeds are held to their limit in every audited epoch, as far as their table goes") {
  PipelineSpec spec = gate({{"colliding_seeds", 0, "count"}});
  CHECK(one(spec).count == 4);
  CHECK(one(spec).epoch == 0);
  spec.seeds.rule = "base+rank";
  spec.world = {1, 500};
  spec.loader.num_workers = 100;
  CHECK(one(spec).state == BudgetState::NotKnown);  // 50,500 processes in each of three epochs
  spec.epochs = 1;
  CHECK(one(spec).state == BudgetState::Kept);
}

TEST_CASE("epochs that could not be compared are not said to be new") {
  PipelineSpec spec = gate({{"same_epochs", 0, "count"}});
  spec.epochs = 10'002;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  for (const std::int64_t first : {9'998, 10'000}) {
    AuditOptions options;
    options.first_epoch = first;
    options.epochs = 2;
    options.fixes = false;
    const auto report = audit(*plan, options);
    REQUIRE(report);
    const auto results = checkBudgets(*plan, *report);
    REQUIRE(results);
    CHECK(results->front().state == (first < 10'000 ? BudgetState::Kept : BudgetState::NotKnown));
  }
}

TEST_CASE("what is only known in part is not kept") {
  PipelineSpec unseeded = gate({{"colliding_seeds", 0, "count"}});
  unseeded.seeds.rule = "unseeded";
  CHECK(one(unseeded).state == BudgetState::NotKnown);
  PipelineSpec wide = gate({{"shared", 0, "count"}});
  wide.dataset.size = 4800;
  wide.world = {1, 1200};
  wide.loader.batch_size = 2;
  CHECK(one(wide).state == BudgetState::NotKnown);
  wide.sampler.type = "torch.SequentialSampler";
  CHECK(one(wide).state == BudgetState::Broken);
}

TEST_CASE("a budget on shared samples is about every audited epoch") {
  // Ranks at different epochs of an endless stream share samples from epoch 1 on at the latest.
  PipelineSpec spec = gate({{"shared", 0, "count"}});
  spec.dataset.size = 104;
  CHECK(one(spec).state == BudgetState::Kept);
  spec.sampler.type = "torch.RandomSampler";
  spec.seeds.rule = "base+rank+epoch";
  const BudgetResult result = one(spec);
  CHECK(result.state == BudgetState::Broken);
  CHECK(result.count == 104);
}

TEST_CASE("the check fails with the findings that the spec wants") {
  PipelineSpec spec;
  Finding finding;
  for (const Severity severity : {Severity::Info, Severity::Warning, Severity::Error}) {
    finding.severity = severity;
    spec.check.findings = "error";
    CHECK(failsCheck(spec, finding) == (severity == Severity::Error));
    spec.check.findings = "warning";
    CHECK(failsCheck(spec, finding) == (severity != Severity::Info));
    spec.check.findings = "none";
    CHECK_FALSE(failsCheck(spec, finding));
  }
}
