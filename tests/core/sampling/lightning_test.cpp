// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/seeds.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <set>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec wrapped(const std::string& type, std::map<std::string, Value> parameters) {
  PipelineSpec spec;
  spec.dataset.size = 11;
  spec.sampler = {type, std::move(parameters)};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  REQUIRE(rule != nullptr);
  auto order = rule->order(spec, rule->key(spec, Epoch{epoch}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule->slice(spec, Epoch{epoch}, Rank{rank}, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

}  // namespace

TEST_CASE("the seeds of a Lightning worker") {
  CHECK(lightningSeedSequence(0, 0, 0) ==
        std::array<std::uint64_t, 4>{1, 6364136223846793006, 13885033948157127959U, 14678909342070756876U});
  CHECK(lightningSeedSequence(0, 0, 1)[0] == 17457226417617275581U);
  // worker and rank are shifted into one number: from 65536 on they meet.
  CHECK(lightningSeedSequence(7, 0, 65536) == lightningSeedSequence(7, 1, 0));
  CHECK(lightningWorkerSeeds(0, 0, 0).torch == 1);
}

TEST_CASE("seed_everything takes what int() takes, within NumPy's bounds") {
  const auto set = [](const LightningSeed& seed, std::optional<std::string> environment = {}) {
    return lightningSeedEverything(seed, environment);
  };
  CHECK(*set(std::string(" +1_2 ")) == 12);
  CHECK(*set(1.7) == 1);
  CHECK(*set(-0.5) == 0);
  CHECK(*set(std::monostate{}) == 0);
  CHECK(*set(std::monostate{}, "007") == 7);
  CHECK(set(std::monostate{}, "x").error().message == "Invalid seed specified via PL_GLOBAL_SEED: 'x'");
  CHECK(set(std::int64_t{-1}).error().message == "-1 is not in bounds, numpy accepts from 0 to 4294967295");
  CHECK(set(1e20).error().message == "100000000000000000000 is not in bounds, numpy accepts from 0 to 4294967295");
  CHECK(set(std::string("it's")).error().message == "invalid literal for int() with base 10: \"it's\"");
  CHECK(set(std::numeric_limits<double>::infinity()).error().raised == "OverflowError");
}

TEST_CASE("the wrapper permutes and pads a list as DistributedSampler does a dataset") {
  PipelineSpec spec =
      wrapped("lightning.DistributedSamplerWrapper",
              {{"inner", std::string("list")}, {"indices", IndexList{4, 3, 2, 1, 0}}, {"shuffle", false}});
  CHECK(itemsOf(spec, 0, 0) == Items{4, 2, 0});
  CHECK(itemsOf(spec, 0, 1) == Items{3, 1, 4});
  spec.sampler.parameters["drop_last"] = true;
  CHECK(itemsOf(spec, 0, 1) == Items{3, 1});
  spec.sampler.parameters["drop_last"] = false;
  spec.sampler.parameters["shuffle"] = true;
  CHECK(itemsOf(spec, 0, 0) == Items{0, 3, 2});
}

TEST_CASE("the unrepeated wrapper draws the inner sampler anew in every epoch and pads nothing") {
  const PipelineSpec spec =
      wrapped("lightning.UnrepeatedDistributedSamplerWrapper", {{"inner", std::string("subset_random")},
                                                                {"indices", IndexList{0, 2, 4, 6, 8, 10}},
                                                                {"generator", std::string("sampler")},
                                                                {"generator_seed", std::int64_t{5}},
                                                                {"shuffle", false}});
  CHECK(itemsOf(spec, 0, 0) == Items{10, 2, 8});
  CHECK(itemsOf(spec, 0, 1) == Items{0, 6, 4});
  CHECK(itemsOf(spec, 1, 0) == Items{8, 2, 0});
}

TEST_CASE("an inner RandomSampler draws without replacement unless the script asks for it, as torch's does") {
  for (const char* type : {"lightning.DistributedSamplerWrapper", "catalyst.DistributedSamplerWrapper"}) {
    CAPTURE(type);
    const PipelineSpec spec = wrapped(type, {{"inner", std::string("random")}});
    const Field* replacement = findField(spec, catalogue(), "sampler.replacement");
    REQUIRE(replacement != nullptr);
    CHECK(getValue(spec, *replacement) == Value(false));
    CHECK(findField(spec, catalogue(), "sampler.num_samples")->fallback == Value(std::string("none")));
    std::set<SampleIndex> read;
    for (const std::int64_t rank : {0, 1}) {
      for (const SampleIndex item : itemsOf(spec, 0, rank)) read.insert(item);
    }
    CHECK(read.size() == 11);
    const PipelineSpec weighted = wrapped(type, {{"inner", std::string("weighted")}});
    CHECK(getValue(weighted, *findField(weighted, catalogue(), "sampler.replacement")) == Value(true));
  }
}

TEST_CASE("ranks that seed differently do not divide an inner sampler's pass") {
  PipelineSpec spec = wrapped(
      "lightning.DistributedSamplerWrapper",
      {{"inner", std::string("subset_random")}, {"indices", IndexList{0, 1, 2, 3, 4, 5, 6, 7}}, {"shuffle", false}});
  const SamplerRule* rule = findRule(spec.sampler.type);
  CHECK(rule->key(spec, Epoch{0}, Rank{0}) == rule->key(spec, Epoch{0}, Rank{1}));
  spec.seeds.rule = "base+rank";
  CHECK(rule->key(spec, Epoch{0}, Rank{0}) != rule->key(spec, Epoch{0}, Rank{1}));
}

TEST_CASE("the unrepeated sampler ignores the seed and asserts on a rank without a sample") {
  PipelineSpec spec = wrapped("lightning.UnrepeatedDistributedSampler", {{"seed", std::int64_t{0}}});
  const Items zero = itemsOf(spec, 1, 0);
  spec.sampler.parameters["seed"] = std::int64_t{9};
  CHECK(itemsOf(spec, 1, 0) == zero);
  CHECK(itemsOf(spec, 1, 0).size() + itemsOf(spec, 1, 1).size() == 11);
  const SamplerRule* rule = findRule(spec.sampler.type);
  spec.dataset.size = 1;
  CHECK(rule->check_rank(spec, Rank{0}));
  REQUIRE_FALSE(rule->check_rank(spec, Rank{1}));
  CHECK(rule->check_rank(spec, Rank{1}).error().raised == "AssertionError");
  spec.dataset.size = 0;
  CHECK(rule->check_rank(spec, Rank{1}));
}
