// SPDX-License-Identifier: Apache-2.0
// The samplers of timm and mmengine.
#include "core/sampling/registry.h"
#include "core/sampling/timm/samplers.h"

#include <doctest/doctest.h>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec specOf(const std::string& type, std::int64_t size, std::int64_t world) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = world;
  spec.sampler.type = type;
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  REQUIRE(rule != nullptr);
  REQUIRE(rule->check(spec));
  const auto order = rule->order(spec, rule->key(spec, Epoch{epoch}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule->slice(spec, Epoch{epoch}, Rank{rank}, *order);
  CHECK(slice.size() == rule->shape(spec, Epoch{epoch}, Rank{rank}).count);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

std::string raisedBy(const PipelineSpec& spec) {
  const auto checked = findRule(spec.sampler.type)->check(spec);
  return checked ? "nothing" : checked.error().raised;
}

}  // namespace

TEST_CASE("epochs of an endless sampler are consecutive stretches of one stream") {
  for (const bool shuffle : {true, false}) {
    PipelineSpec spec = specOf("mmengine.InfiniteSampler", 7, 3);
    spec.sampler.parameters = {{"shuffle", shuffle}, {"samples_per_epoch", std::int64_t{40}}};
    const Items all = itemsOf(spec, 0, 1);
    spec.sampler.parameters["samples_per_epoch"] = std::int64_t{5};
    Items joined;
    for (std::int64_t epoch = 0; epoch < 8; ++epoch) {
      const Items part = itemsOf(spec, epoch, 1);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    CHECK(joined == all);
  }
}

TEST_CASE("a lap of the endless stream holds every sample once, whichever ranks read it") {
  PipelineSpec spec = specOf("mmengine.InfiniteSampler", 6, 3);
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    std::vector<int> seen(6, 0);
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      for (const SampleIndex sample : itemsOf(spec, epoch, rank)) ++seen[static_cast<std::size_t>(sample)];
    }
    CHECK(seen == std::vector<int>(6, 1));
  }
}

TEST_CASE("endless samplers need samples, and a stream that can be counted") {
  CHECK_FALSE(findRule("mmengine.InfiniteSampler")->check(specOf("mmengine.InfiniteSampler", 0, 2)));
  PipelineSpec spec = specOf("mmengine.InfiniteSampler", 5, 1'000'000);
  spec.sampler.parameters["samples_per_epoch"] = std::int64_t{1'000'000'000};
  spec.epochs = 1000;
  CHECK_FALSE(findRule(spec.sampler.type)->check(spec));
}

TEST_CASE("mmengine's DefaultSampler tiles when it rounds up, else deals uneven ranks") {
  PipelineSpec spec = specOf("mmengine.DefaultSampler", 2, 7);
  spec.sampler.parameters = {{"shuffle", false}};
  CHECK(itemsOf(spec, 0, 6) == Items{0});
  spec.sampler.parameters["round_up"] = false;
  CHECK(itemsOf(spec, 0, 1) == Items{1});
  CHECK(itemsOf(spec, 0, 6).empty());
  CHECK(raisedBy(specOf("mmengine.DefaultSampler", 0, 2)) == "ZeroDivisionError");
}

TEST_CASE("timm's ordered sampler pads once") {
  CHECK(itemsOf(specOf("timm.OrderedDistributedSampler", 5, 3), 0, 2) == Items{2, 0});
  CHECK(raisedBy(specOf("timm.OrderedDistributedSampler", 4, 8)) == "nothing");
  CHECK(raisedBy(specOf("timm.OrderedDistributedSampler", 3, 8)) == "AssertionError");
}

TEST_CASE("timm's repeated augmentation repeats in a row, and keeps a part") {
  PipelineSpec spec = specOf("timm.RepeatAugSampler", 5, 2);
  CHECK(itemsOf(spec, 0, 0).empty());  // 5 rounded down to a multiple of 256
  spec.sampler.parameters = {{"shuffle", false},
                             {"num_repeats", 1.5},
                             {"selected_round", std::int64_t{0}},
                             {"selected_ratio", std::int64_t{1}}};
  CHECK(itemsOf(spec, 0, 0) == Items{0, 1, 2, 4});
  CHECK(itemsOf(spec, 0, 1) == Items{0, 2, 3, 4});
  CHECK(timmRepeatAugLength(spec) == 5);
  spec.world.ranks_per_node = 20;
  CHECK(raisedBy(spec) == "AssertionError");
}
