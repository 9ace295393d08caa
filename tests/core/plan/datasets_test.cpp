// SPDX-License-Identifier: Apache-2.0
// Hugging Face datasets as plans: how the loader delivers streams, and what an audit says about them.
#include "core/audit/audit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace shardlens;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec specOf(const char* type, std::map<std::string, Value> parameters) {
  PipelineSpec spec;
  spec.dataset.shards = IndexList(4, 4);
  spec.dataset.size = 16;
  spec.world = {1, 2};
  spec.sampler = {type, std::move(parameters)};
  return spec;
}

Plan planOf(const PipelineSpec& spec) {
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  return *std::move(plan);
}

bool finds(const Plan& plan, const char* code) {
  const auto report = audit(plan);
  REQUIRE(report);
  return std::ranges::any_of(report->findings, [code](const Finding& finding) { return finding.code == code; });
}

}  // namespace

TEST_CASE("the loader takes batches of each worker's stream in turn") {
  PipelineSpec spec = specOf("datasets.IterableDataset", {});
  spec.loader.num_workers = 2;
  const Plan plan = planOf(spec);
  const auto rank = plan.rankEpoch(Epoch{0}, Rank{1});  // worker 0 has shard 1, worker 1 shard 3
  REQUIRE(rank);
  REQUIRE(rank->batches() == 4);
  CHECK(rank->batchSamples(Step{0}) == Items{4, 5});
  CHECK(rank->batchSamples(Step{1}) == Items{12, 13});
  CHECK(rank->worker(Step{1}) == 1);
  CHECK(rank->batchSamples(Step{2}) == Items{6, 7});
}

TEST_CASE("what shuffles by name is not called unshuffled") {
  const auto whole = specOf("datasets.Dataset", {{"shuffle", std::string("before_split")}, {"seed", std::int64_t{3}}});
  CHECK_FALSE(finds(planOf(whole), "not-shuffled"));
  CHECK(finds(planOf(specOf("datasets.Dataset", {})), "not-shuffled"));
}

TEST_CASE("a forgotten set_epoch is found") {
  PipelineSpec spec =
      specOf("datasets.IterableDataset", {{"shuffle", true}, {"seed", std::int64_t{3}}, {"set_epoch", false}});
  CHECK(finds(planOf(spec), "epochs-repeat"));
  spec.sampler.parameters["set_epoch"] = true;
  CHECK_FALSE(finds(planOf(spec), "epochs-repeat"));
}

TEST_CASE("ranks that do not split the stream are found to share it") {
  CHECK(finds(planOf(specOf("datasets.IterableDataset", {{"split_by_node", false}})), "ranks-identical-order"));
  CHECK(finds(planOf(specOf("datasets.IterableDataset", {})), "ok-disjoint"));
}

TEST_CASE("workers that shuffle() leaves without a shard are found, however many batches there are") {
  PipelineSpec spec = specOf("datasets.IterableDataset", {{"shuffle", true}, {"seed", std::int64_t{3}}});
  spec.loader.num_workers = 2;
  CHECK(finds(planOf(spec), "idle-workers"));
  spec.sampler.parameters["max_buffer_input_shards"] = std::int64_t{1};
  CHECK_FALSE(finds(planOf(spec), "idle-workers"));
}
