// SPDX-License-Identifier: Apache-2.0
// A sampler's seed that is another one on each rank: what the audit says of it.
#include "core/audit/audit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;
using test::find;
using test::reportOf;

namespace {

/// load_dataset(streaming=True).shuffle(42 + rank), without a split (awslabs/awsome-distributed-ai#425).
PipelineSpec streamed(const std::string& seed) {
  PipelineSpec spec;
  spec.dataset.size = 6400;
  spec.dataset.shards = IndexList(std::vector<std::int64_t>(64, 100));
  spec.world = {1, 8};
  spec.loader.batch_size = 4;
  spec.sampler = {"datasets.IterableDataset", {{"split_by_node", false}, {"shuffle", true}, {"seed", seed}}};
  spec.seeds = {42, "base+rank"};
  spec.epochs = 1;
  return spec;
}

bool has(const Fix& fix, const std::string& path, const Value& value) {
  return std::ranges::any_of(fix.edits, [&](const Edit& edit) { return edit.path == path && edit.value == value; });
}

}  // namespace

TEST_CASE("the first random ids follow the seed: torch gives 4, 9, 3, 0 below 10 after seed 0") {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, 2};
  spec.loader.num_workers = 1;
  spec.sampler.parameters["shuffle"] = false;
  const auto rowsOf = [&spec](const std::string& rule) {
    spec.seeds = {0, rule};
    return reportOf(spec).seeds;
  };
  const SeedTable same = rowsOf("same");
  REQUIRE(same.rows.size() == 8);  // 2 epochs of 2 ranks with a worker each
  CHECK(firstIds(same, same.rows[0]) == std::vector<std::int64_t>{4, 9, 3, 0});
  CHECK(firstIds(same, same.rows[2]) == firstIds(same, same.rows[0]));
  CHECK(same.rows[0].own_id == 0);
  CHECK(same.rows[1].own_id == -1);
  CHECK(same.rows[2].own_id == 1);
  const SeedTable apart = rowsOf("base+rank");
  CHECK(firstIds(apart, apart.rows[2]) != firstIds(apart, apart.rows[0]));
}

TEST_CASE("a stream that each rank shuffles by its own seed is read whole by each, in other batches") {
  const AuditReport report = reportOf(streamed("base+rank"));
  CHECK(report.coverage.front().handed_out == 51'200);
  CHECK(report.coverage.front().missing == 0);
  CHECK(report.steps.front() == 1600);
  CHECK(report.ranks.at(0, 7) == 6400);
  CHECK(find(report, "ranks-identical-order") == nullptr);
  const Finding* const overlap = find(report, "ranks-overlap-partly");
  REQUIRE(overlap != nullptr);
  CHECK(overlap->message == "28 of 28 pairs share samples: ranks 0 and 1 share 6\u202f400 of 6\u202f400.");
  const Fix* const fix = overlap->fix();
  REQUIRE(fix != nullptr);
  CHECK(has(*fix, "sampler.split_by_node", true));
  CHECK(has(*fix, "sampler.seed", std::int64_t{42}));
  CHECK(find(reportOf(streamed("base+local_rank")), "ranks-identical-order") == nullptr);
}

TEST_CASE("shares of orders that differ by the sampler's own seed: the seed is to blame, and is what a fix changes") {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {1, 4};
  spec.sampler = {"torch.DistributedSampler", {{"seed", std::string("base+rank")}}};
  const AuditReport report = reportOf(spec);
  for (const char* code : {"ranks-overlap-partly", "ranks-read-different-orders"}) {
    const Finding* const finding = find(report, code);
    REQUIRE_MESSAGE(finding != nullptr, code);
    CHECK(finding->where.field == "sampler.seed");
    const Fix* const fix = finding->fix();
    REQUIRE(fix != nullptr);
    CHECK(has(*fix, "sampler.seed", std::int64_t{0}));
  }
  const Finding* const alike = find(report, "seeds-collide-ranks");
  REQUIRE(alike != nullptr);
  REQUIRE(alike->fix() != nullptr);
  CHECK(has(*alike->fix(), "seeds.rule", std::string("base+rank")));
  spec.seeds = {7, "unseeded"};
  const AuditReport never = reportOf(spec);
  REQUIRE(find(never, "never-seeded") != nullptr);
  CHECK(find(never, "never-seeded")->fixes.empty());  // seeds.base: 0 would give the sampler other seeds, too
  spec.sampler.parameters["shuffle"] = false;
  CHECK(find(reportOf(spec), "ranks-read-different-orders") == nullptr);
}
