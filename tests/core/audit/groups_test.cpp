// SPDX-License-Identifier: Apache-2.0
// Ranks that divide one copy of the model: they ought to read the same, and all others ought not to.
#include "core/audit/budget.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace shardlens;
using test::find;
using test::need;
using test::reportOf;

namespace {

/// 8 ranks, 1 024 samples; num_replicas and rank as the script passes them.
PipelineSpec specOf(const ParallelGroups& groups, const char* num_replicas, const char* rank) {
  PipelineSpec spec;
  spec.dataset.size = 1024;
  spec.world = {2, 4};
  spec.world.groups = groups;
  spec.loader.batch_size = 4;
  spec.sampler.parameters = {{"num_replicas", std::string(num_replicas)}, {"rank", std::string(rank)}};
  spec.seeds.rule = "base+data_parallel_rank";
  return spec;
}

PipelineSpec rightSpec(const ParallelGroups& groups) {
  return specOf(groups, "data_parallel_size", "data_parallel_rank");
}

PipelineSpec withFix(const PipelineSpec& spec, const Finding& finding) {
  REQUIRE(finding.fix() != nullptr);
  auto fixed = applyEdits(spec, finding.fix()->edits, sampling::catalogue());
  REQUIRE(fixed);
  return *fixed;
}

}  // namespace

TEST_CASE("peers that read the same samples are right, and count once") {
  for (const ParallelGroups& groups :
       {ParallelGroups{.tensor = 2}, ParallelGroups{.context = 4}, ParallelGroups{.tensor = 2, .pipeline = 2},
        ParallelGroups{.pipeline = 2, .order = kPipelineThenData}}) {
    const PipelineSpec spec = rightSpec(groups);
    const AuditReport report = reportOf(spec);
    CHECK_FALSE(report.hasErrors());
    CHECK(report.count(Severity::Warning) == 0);
    for (const Ledger& ledger : report.coverage) {
      CHECK(ledger.handed_out == 1024);
      CHECK(ledger.seen == 1024);
      CHECK(ledger.repeats.total() == 0);
      CHECK(ledger.times_seen == std::vector<std::int64_t>{0, 1024});
    }
    CHECK(need(report, "ok-disjoint").title == "No two data-parallel ranks share a sample");
    CHECK(need(report, "ok-coverage").why.find("count once") != std::string::npos);
    for (std::int64_t row = 0; row < 8; ++row) {
      for (std::int64_t column = 0; column < 8; ++column)
        CHECK(report.ranks.arePeers(row, column) == (report.ranks.at(row, column) > 0));
    }
  }
}

TEST_CASE("ranks of a world that are told apart read different samples in one copy of the model") {
  const PipelineSpec spec = specOf({.tensor = 2}, "world_size", "rank");
  const AuditReport report = reportOf(spec);
  const Finding finding = need(report, "peers-read-apart");
  CHECK(finding.severity == Severity::Error);
  CHECK(finding.message ==
        "Ranks 0 and 1 divide one copy of the model (tensor) and must read the same samples: in epoch 0, step 0, they "
        "do not. This happens in 4 of 4 copies.");
  CHECK(finding.where.ranks == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(finding.where.example == std::vector<std::int64_t>{0, 1});
  CHECK(finding.where.field == "sampler.rank");
  CHECK(find(report, "ok-disjoint") == nullptr);
  REQUIRE(finding.fix() != nullptr);
  CHECK(finding.fix()->label == "Pass the data-parallel rank and size to the sampler");
  CHECK(finding.fix()->effect.steps.before == 32);
  CHECK(finding.fix()->effect.steps.after == 64);
  CHECK_FALSE(reportOf(withFix(spec, finding)).hasErrors());
}

TEST_CASE("the groups that read apart are named") {
  CHECK(need(reportOf(specOf({.pipeline = 2}, "world_size", "rank")), "peers-read-apart").message.find("(pipeline)") !=
        std::string::npos);
  CHECK(need(reportOf(specOf({.context = 2}, "world_size", "rank")), "peers-read-apart").message.find("(context)") !=
        std::string::npos);
}

TEST_CASE("a node that is one copy of the model may pass its number") {
  const AuditReport report = reportOf(specOf({.tensor = 4}, "nodes", "node"));
  CHECK_FALSE(report.hasErrors());
  CHECK(find(report, "ok-disjoint") != nullptr);
}

TEST_CASE("data-parallel ranks that read the same are still wrong, and are not told to read as peers do") {
  PipelineSpec spec = rightSpec({.tensor = 2});
  spec.sampler.parameters["num_replicas"] = std::int64_t{1};
  spec.sampler.parameters["rank"] = std::int64_t{0};
  const AuditReport report = reportOf(spec);
  const Finding finding = need(report, "ranks-identical-order");
  CHECK(finding.where.example == std::vector<std::int64_t>{0, 2});
  CHECK(finding.why.find("The global batch is really 4, not 16.") != std::string::npos);
  CHECK(report.coverage[0].handed_out == 4 * 1024);
  CHECK(find(report, "peers-read-apart") == nullptr);
  const PipelineSpec fixed = withFix(spec, finding);
  CHECK(fixed.sampler.parameters.at("rank") == Value(std::string("data_parallel_rank")));
  CHECK_FALSE(reportOf(fixed).hasErrors());
}

TEST_CASE("equal ranks in regular groups are told that they may divide one copy of the model") {
  const char* const hint =
      " If ranks with equal batches divide one copy of the model by tensor, pipeline or context parallelism, equal "
      "batches are right: say so in world.groups.";
  PipelineSpec spec = specOf({}, "nodes", "node");
  CHECK(need(reportOf(spec), "ranks-share-samples").why.ends_with(hint));  // rank // 4
  spec.world.groups.tensor = 4;
  CHECK_FALSE(reportOf(spec).hasErrors());
  CHECK(need(reportOf(specOf({}, "ranks_per_node", "local_rank")), "ranks-share-samples").why.ends_with(hint));
  spec.world = {2, RanksPerNode({3, 1})};
  spec.sampler.parameters = {{"num_replicas", std::int64_t{3}}, {"rank", std::string("local_rank")}};
  const Finding irregular = need(reportOf(spec), "ranks-share-samples");
  CHECK(irregular.where.ranks == std::vector<std::int64_t>{0, 3});
  CHECK(irregular.why.find("world.groups") == std::string::npos);
  spec = rightSpec({.tensor = 2});
  spec.sampler.parameters = {{"num_replicas", std::int64_t{1}}, {"rank", std::int64_t{0}}};
  CHECK(need(reportOf(spec), "ranks-identical-order").why.find("world.groups") == std::string::npos);
}

TEST_CASE("the global batch is that of an optimizer step") {
  PipelineSpec spec = specOf({}, "nodes", "node");
  spec.loader.gradient_accumulation_steps = 8;
  CHECK(sampling::globalBatch(spec) == 256);
  CHECK(need(reportOf(spec), "ranks-share-samples").why.find("The global batch is really 64, not 256.") !=
        std::string::npos);
  spec.loader.gradient_accumulation_steps = 129;  // a rank has 128 batches
  CHECK(need(reportOf(spec), "ranks-share-samples").why.find("The global batch") == std::string::npos);
}

TEST_CASE("where peers read apart, no global batch is counted") {
  const AuditReport report = reportOf(specOf({.tensor = 2}, "ranks_per_node", "local_rank"));
  CHECK(find(report, "peers-read-apart") != nullptr);
  CHECK(need(report, "ranks-share-samples").why.find("The global batch") == std::string::npos);
  CHECK(need(report, "ranks-share-samples").message.ends_with("the sampler got local_rank, not data_parallel_rank."));
}

TEST_CASE("orders of their own part peers, too") {
  PipelineSpec spec = rightSpec({.tensor = 2});
  spec.sampler = {"torch.RandomSampler", {}};
  spec.seeds.rule = "base+rank";
  const Finding finding = need(reportOf(spec), "peers-read-apart");
  CHECK(finding.where.field == "seeds.rule");
  const PipelineSpec fixed = withFix(spec, finding);
  CHECK(fixed.sampler.type == "torch.DistributedSampler");
  CHECK_FALSE(reportOf(fixed).hasErrors());
}

TEST_CASE("peers are seeded alike, and copies of the model apart") {
  PipelineSpec spec = rightSpec({.tensor = 2});
  spec.seeds.rule = "same";
  const Finding same = need(reportOf(spec), "seeds-collide-ranks");
  CHECK(withFix(spec, same).seeds.rule == "base+data_parallel_rank");
  spec.seeds.rule = "base+rank";
  const AuditReport apart = reportOf(spec);
  const Finding finding = need(apart, "peers-seeded-apart");
  CHECK(finding.message == "Ranks 0 and 1 seed torch with 0 and 1.");
  CHECK(withFix(spec, finding).seeds.rule == "base+data_parallel_rank");
  CHECK(find(apart, "seeds-collide-ranks") == nullptr);
  CHECK(find(apart, "ok-seeds") == nullptr);
}

TEST_CASE("a budget on shared samples leaves peers out") {
  PipelineSpec spec = rightSpec({.tensor = 2});
  spec.check.budgets = {{"shared", 0, "count"}, {"repeated", 0, "count"}, {"colliding_seeds", 0, "count"}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto results = checkBudgets(*plan, reportOf(spec));
  REQUIRE(results);
  for (const BudgetResult& result : *results) CHECK(result.state == BudgetState::Kept);
}
