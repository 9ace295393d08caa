// SPDX-License-Identifier: Apache-2.0
// Samplers whose seed is another one on each rank: each rank reads what it reads in a job where all have its seed.
#include "core/plan/plan.h"
#include "core/sampling/script_seed.h"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;

namespace {

using Parameters = std::map<std::string, Value>;

/// 2 nodes of 3 ranks; base 42.
PipelineSpec specOf(const std::string& type, Parameters parameters) {
  PipelineSpec spec;
  spec.dataset.size = 60;
  spec.dataset.shards = IndexList(std::vector<std::int64_t>(12, 5));
  spec.world = {2, 3};
  spec.sampler = {type, std::move(parameters)};
  spec.seeds.base = 42;
  return spec;
}

std::vector<SampleIndex> itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank) {
  const auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  const auto items = plan->rankEpoch(Epoch{epoch}, Rank{rank});
  REQUIRE_MESSAGE(items, items.error().text());
  std::vector<SampleIndex> out;
  for (std::int64_t k = 0; k < items->size(); ++k) out.push_back(items->sample(k));
  return out;
}

/// Every sampler that takes such a seed, and the parameter.
std::vector<std::pair<PipelineSpec, std::string>> seeded() {
  const std::string sampler = "sampler";
  const Parameters generator = {{"generator", sampler}};
  const Parameters shuffled = {{"shuffle", true}, {"buffer_size", std::int64_t{7}}};
  Parameters unsplit = shuffled;
  unsplit["split_by_node"] = false;
  Parameters split = {{"nodesplitter", std::string("split_by_node")},
                      {"shardshuffle", std::int64_t{100}},
                      {"shuffle", std::int64_t{5}},
                      {"seed", std::int64_t{1}},
                      {"shuffle_seed", std::int64_t{1}}};
  Parameters subset = generator;
  subset["indices"] = IndexList{3, 5, 8, 13, 21, 34, 55};
  return {{specOf("torch.DistributedSampler", {}), "seed"},
          {specOf("torch.RandomSampler", generator), "generator_seed"},
          {specOf("torch.RandomSampler", {{"generator", std::string("loader")}}), "generator_seed"},
          {specOf("torch.SubsetRandomSampler", subset), "generator_seed"},
          {specOf("torch.WeightedRandomSampler", generator), "generator_seed"},
          {specOf("lightning.DistributedSamplerWrapper", {{"inner", std::string("random")}, {"generator", sampler}}),
           "generator_seed"},
          {specOf("datasets.Dataset", {{"shuffle", std::string("before_split")}}), "seed"},
          {specOf("datasets.Dataset", {{"shuffle", std::string("after_split")}}), "seed"},
          {specOf("datasets.IterableDataset", unsplit), "seed"},
          {specOf("datasets.IterableDataset", shuffled), "seed"},
          {specOf("webdataset.WebDataset", split), "seed"},
          {specOf("webdataset.WebDataset", split), "shuffle_seed"}};
}

}  // namespace

TEST_CASE("with base+rank a rank reads what it reads where all have its number") {
  for (auto& [design, name] : seeded()) {
    auto& spec = design;  // clang 14 captures no structured binding
    const auto& key = name;
    CAPTURE(spec.sampler.type);
    CAPTURE(key);
    for (const char* rule : {"base+rank", "base+local_rank"}) {
      PipelineSpec by_rule = spec;
      by_rule.sampler.parameters[key] = std::string(rule);
      for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
        const std::int64_t added = std::string(rule) == "base+rank" ? rank : rank % 3;
        PipelineSpec by_number = spec;
        by_number.sampler.parameters[key] = 42 + added;
        for (std::int64_t epoch = 0; epoch < 2; ++epoch)
          CHECK(itemsOf(by_rule, epoch, rank) == itemsOf(by_number, epoch, rank));
      }
    }
  }
}

TEST_CASE("such a seed needs no script that seeds") {
  for (auto& [design, name] : seeded()) {
    auto& spec = design;  // clang 14 captures no structured binding
    const auto& key = name;
    if (spec.sampler.parameters.contains("inner")) continue;
    CAPTURE(spec.sampler.type);
    spec.sampler.parameters[key] = std::string("base+rank");
    spec.seeds.rule = "same";
    const auto items = itemsOf(spec, 1, 4);
    spec.seeds.rule = "unseeded";
    CHECK(itemsOf(spec, 1, 4) == items);
  }
}

TEST_CASE("a base that gives some rank a seed out of range is refused") {
  PipelineSpec spec = specOf("torch.DistributedSampler", {{"seed", std::string("base+rank")}});
  spec.seeds.base = std::numeric_limits<std::int64_t>::max() - 5;
  CHECK(Plan::make(spec));
  ++spec.seeds.base;
  const auto refused = Plan::make(spec);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().place.field == "seeds.base");
  CHECK(refused.error().message.find("to 9223372036854775802.") != std::string::npos);
}

TEST_CASE("what a rank's own seed raises is raised by that rank") {
  PipelineSpec spec = specOf("datasets.IterableDataset", {{"shuffle", true}, {"seed", std::string("base+rank")}});
  spec.seeds.base = -1;
  const auto plan = Plan::make(spec);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().raised == "ValueError");
  CHECK(plan.error().hint.starts_with("raised by rank 0"));
  CHECK(Plan::make(spec, Rank{1}));
}

TEST_CASE("frameworks that make ranks draw alike take a number only") {
  for (const char* type : {"ignite.DistributedProxySampler", "accelerate.DataLoaderShard"}) {
    const auto plan = Plan::make(specOf(type, {{"generator_seed", std::string("base+rank")}}));
    REQUIRE_FALSE(plan);
    CHECK(plan.error().place.field == "sampler.generator_seed");
  }
}

TEST_CASE("a number that is too large is refused as a number, not as a name") {
  const Field seed = sampling::rankSeedField("sampler.seed", std::int64_t{0}, INT64_MIN, INT64_MAX, "");
  const auto large = parseValue(seed, "18446744073709551615");
  REQUIRE_FALSE(large);
  CHECK(large.error().hint == "torch takes it as -1: write that instead");
  CHECK(parseValue(seed, "base+rank"));
  CHECK_FALSE(parseValue(seed, "base"));
}
