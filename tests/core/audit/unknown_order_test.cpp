// SPDX-License-Identifier: Apache-2.0
// Designs whose order nobody can predict: what is said of them holds for whatever seeds they get.
#include "core/audit/audit.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"
#include "core/spec/field_table.h"
#include "tests/core/audit/audited.h"
#include "tests/support/random_seed.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace shardlens;
using sampling::SeedFree;
using test::find;

namespace {

Result<CountedPlan> countedOf(const PipelineSpec& spec) {
  const auto plan = Plan::make(spec);
  REQUIRE_FALSE(plan);
  return countedPlan(spec, plan.error());
}

AuditReport auditOf(const PipelineSpec& spec, const AuditOptions& options = {}) {
  const auto counted = countedOf(spec);
  REQUIRE_MESSAGE(counted, counted.error().text());
  auto report = auditCounts(*counted, options);
  REQUIRE_MESSAGE(report, report.error().text());
  REQUIRE(report->unknown_order);
  return *std::move(report);
}

/// load_dataset(streaming=True).shuffle() without a seed and without a split (awslabs/awsome-distributed-ai#425).
PipelineSpec streamed() {
  PipelineSpec spec;
  spec.dataset.size = 6400;
  spec.dataset.shards = IndexList(std::vector<std::int64_t>(64, 100));
  spec.world = {1, 8};
  spec.loader.batch_size = 4;
  spec.sampler = {"datasets.IterableDataset", {{"split_by_node", false}, {"shuffle", true}}};
  spec.seeds = {42, "base+rank"};
  spec.epochs = 1;
  return spec;
}

/// A script that never seeds.
PipelineSpec unseeded(const std::string& type) {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {1, 4};
  spec.loader.batch_size = 4;
  spec.sampler.type = type;
  spec.seeds = {0, "unseeded"};
  return spec;
}

/// The seeds of a sampler that may have none.
std::vector<const Field*> ownSeeds(const PipelineSpec& spec) {
  std::vector<const Field*> fields;
  for (const Field& field : sampling::findRule(spec.sampler.type)->info.parameters) {
    const bool may_lack = std::ranges::find(field.choices, "none") != field.choices.end();
    if (field.is_seed && may_lack && sampling::withoutRankSeeds(field) != field) fields.push_back(&field);
  }
  return fields;
}

/// What the ranks' samplers yield, each in ascending order.
std::vector<std::vector<SampleIndex>> yieldsOf(const Plan& plan, Epoch epoch) {
  std::vector<std::vector<SampleIndex>> all;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const auto items = plan.rankEpoch(epoch, rank);
    REQUIRE(items);
    auto& samples = all.emplace_back();
    for (std::int64_t k = 0; k < items->size(); ++k) samples.push_back(items->sample(k));
    std::ranges::sort(samples);
  }
  return all;
}

void checkReadings(const Plan& stand_in, const Plan& real, Epoch epoch) {
  const auto said = ledgerOf(stand_in, epoch);
  const auto is = ledgerOf(real, epoch);
  REQUIRE(said);
  REQUIRE(is);
  CHECK(said->handed_out == is->handed_out);
  CHECK(said->times_seen == is->times_seen);
  CHECK(said->repeats == is->repeats);
  CHECK(said->missing_by == is->missing_by);
  const auto said_ranks = rankOverlap(stand_in, epoch);
  const auto ranks = rankOverlap(real, epoch);
  REQUIRE(said_ranks);
  REQUIRE(ranks);
  CHECK(said_ranks->shared == ranks->shared);
}

void checkAgainst(const CountedPlan& counted, const PipelineSpec& seeded) {
  const auto real = Plan::make(seeded);
  if (!real) return;  // NumPy refuses some seeds
  for (Epoch epoch{0}; epoch.value < seeded.epochs; ++epoch) {
    const auto said = counted.stand_in.epochShape(epoch);
    const auto is = real->epochShape(epoch);
    REQUIRE(said);
    REQUIRE(is);
    CHECK(said->ranks == is->ranks);
    if (counted.known == SeedFree::Samples) CHECK(yieldsOf(counted.stand_in, epoch) == yieldsOf(*real, epoch));
    if (counted.knowsReadings(*said)) checkReadings(counted.stand_in, *real, epoch);
  }
}

}  // namespace

TEST_CASE("what is said without the order holds for any seeds, for every sampler") {
  const int specs = test::rounds(30);
  std::set<std::string> types;
  test::SmallSpecs draw(20261126, true);
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    for (int i = 0; i < specs; ++i) {
      PipelineSpec spec = draw.next(&rule).spec();
      spec.seeds = {0, "unseeded"};
      for (const Field* field : ownSeeds(spec)) setValue(spec, *field, std::string("none"));
      const auto plan = Plan::make(spec);
      if (plan || plan.error().code != ErrorCode::Unsupported) continue;
      const auto counted = countedPlan(spec, plan.error());
      if (!counted) continue;
      types.insert(rule.info.type);
      for (const char* by : {"same", "base+rank", "base+rank+epoch"}) {
        PipelineSpec seeded = spec;
        seeded.seeds = {1 + draw.below(1000), by};
        for (const Field* field : ownSeeds(spec))
          setValue(seeded, *field, i % 2 == 0 ? Value(draw.below(1000)) : Value(std::string("base+local_rank")));
        CAPTURE(seeded.seeds.base);
        CAPTURE(by);
        checkAgainst(*counted, seeded);
      }
    }
  }
  for (const char* type : {"torch.RandomSampler", "torch.WeightedRandomSampler", "datasets.Dataset",
                           "datasets.IterableDataset", "webdataset.WebDataset", "accelerate.BatchSamplerShard"})
    CHECK_MESSAGE(types.contains(type), type);
}

TEST_CASE("a stream that each rank shuffles by a seed drawn at random is read whole by each") {
  const AuditReport report = auditOf(streamed());
  CHECK(report.unknown_order->has_readings);
  CHECK(report.unknown_order->shapes.front().ranks == std::vector<RankEpochShape>(8, {6400, 0, 1600, 0}));
  REQUIRE(report.coverage.size() == 1);
  CHECK(report.coverage.front().handed_out == 51'200);
  CHECK(report.coverage.front().missing == 0);
  CHECK(report.ranks.at(0, 7) == 6400);
  CHECK(report.findings.front().code == "ranks-overlap-partly");
  CHECK(find(report, "ok-lockstep") != nullptr);
  const Finding* const unknown = find(report, "order-not-known");
  REQUIRE(unknown != nullptr);
  CHECK(unknown->message == "Not predictable, because shuffle() without a seed draws one at random.");
  CHECK(unknown->where.field == "sampler.seed");
  for (const Finding& finding : report.findings) {
    CHECK(finding.topic != FindingTopic::Seeds);
    CHECK(finding.topic != FindingTopic::Epochs);
    CHECK(finding.code != "ranks-identical-order");
  }
}

TEST_CASE("parts that ranks shuffle by NumPy's own seed are the same parts whatever it is") {
  PipelineSpec spec = unseeded("datasets.Dataset");
  spec.sampler.parameters = {{"shuffle", std::string("after_split")}};
  const AuditReport report = auditOf(spec);
  CHECK(find(report, "ok-coverage") != nullptr);
  CHECK(find(report, "never-seeded") == nullptr);  // it says that the order does not depend on the seeds
  spec.sampler.parameters["seed"] = std::int64_t{3};
  CHECK(Plan::make(spec));
}

TEST_CASE("one rank that shuffles everything by an unknown seed reads each sample once") {
  PipelineSpec spec = unseeded("torch.RandomSampler");
  spec.world = {1, 1};
  const AuditReport report = auditOf(spec);
  CHECK(find(report, "ok-coverage") != nullptr);
  CHECK(report.coverage.size() == 2);
}

TEST_CASE("ranks that take shares of one order, whichever it is, read each sample once, and what is cut is a number") {
  PipelineSpec spec = unseeded("accelerate.BatchSamplerShard");
  spec.sampler.parameters = {{"shuffle", true}};
  CHECK(find(auditOf(spec), "ok-coverage") != nullptr);
  CHECK(find(auditOf(spec), "ok-disjoint") != nullptr);
  spec.dataset.size = 70;
  spec.loader.drop_last = true;
  const AuditReport report = auditOf(spec);
  CHECK(report.unknown_order->has_readings);
  CHECK(report.coverage.front().missing == 6);
  CHECK(report.coverage.front().missing_ids.empty());
  CHECK(find(report, "ok-coverage") == nullptr);
}

TEST_CASE("where the order decides which samples are read, only numbers are said") {
  PipelineSpec spec = unseeded("torch.RandomSampler");
  spec.dataset.size = 66;
  spec.loader.drop_last = true;
  PipelineSpec weighted = unseeded("torch.WeightedRandomSampler");
  weighted.dataset.size = 66;
  weighted.loader.drop_last = true;
  PipelineSpec shares = unseeded("datasets.Dataset");
  shares.sampler.parameters = {{"shuffle", std::string("before_split")}};
  for (const PipelineSpec& one : {spec, weighted, shares}) {
    CAPTURE(one.sampler.type);
    const AuditReport report = auditOf(one);
    CHECK_FALSE(report.unknown_order->has_readings);
    CHECK(report.coverage.empty());
    CHECK(report.ranks.size == 0);
    CHECK(find(report, "order-not-known") != nullptr);
    for (const Finding& finding : report.findings)
      CHECK((finding.code == "order-not-known" || finding.topic == FindingTopic::Steps));
  }
  CHECK(auditOf(spec).unknown_order->shapes.front().ranks.front() == RankEpochShape{66, 0, 16, 2});
}

TEST_CASE("uneven shards that a seed nobody knows spreads over workers: nothing is said") {
  PipelineSpec spec = streamed();
  spec.dataset.shards = IndexList{4000, 1200, 900, 300};
  CHECK(countedOf(spec));
  spec.loader.num_workers = 2;
  CHECK_FALSE(countedOf(spec));
  spec.loader.num_workers = 0;
  spec.sampler.parameters["split_by_node"] = true;
  CHECK_FALSE(countedOf(spec));
  PipelineSpec resampled = streamed();
  resampled.sampler = {"webdataset.ResampledShards", {{"deterministic", false}}};
  CHECK_FALSE(countedOf(resampled));
}
