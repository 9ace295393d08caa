// SPDX-License-Identifier: Apache-2.0
// Hugging Face datasets of the map style.
#include "core/sampling/datasets_dataset.h"
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec specOf(std::int64_t size, std::int64_t world, std::map<std::string, Value> parameters = {}) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, world};
  spec.sampler = {"datasets.Dataset", std::move(parameters)};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t rank) {
  const SamplerRule& rule = *findRule(spec.sampler.type);
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule.slice(spec, Epoch{0}, Rank{rank}, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

std::string raisedBy(const PipelineSpec& spec, std::int64_t rank) {
  const auto checked = findRule(spec.sampler.type)->check_rank(spec, Rank{rank});
  return checked ? "nothing" : checked.error().raised + ": " + checked.error().message;
}

std::map<std::string, Value> shuffled(const char* where, std::int64_t seed) {
  return {{"shuffle", std::string(where)}, {"seed", seed}};
}

}  // namespace

TEST_CASE("split_dataset_by_node cuts blocks, the first ones a sample longer") {
  const PipelineSpec spec = specOf(10, 4);
  CHECK(itemsOf(spec, 0) == Items{0, 1, 2});
  CHECK(itemsOf(spec, 1) == Items{3, 4, 5});
  CHECK(itemsOf(spec, 2) == Items{6, 7});
  CHECK(itemsOf(spec, 3) == Items{8, 9});
  CHECK(itemsOf(specOf(10, 4, {{"contiguous", false}}), 1) == Items{1, 5, 9});
}

TEST_CASE("shuffle(seed) permutes by default_rng(seed), before the split or inside each part") {
  // np.random.default_rng(0).permutation(5) is 2 4 3 0 1.
  CHECK(itemsOf(specOf(5, 2, shuffled("before_split", 0)), 0) == Items{2, 4, 3});
  CHECK(itemsOf(specOf(5, 2, shuffled("before_split", 0)), 1) == Items{0, 1});
  CHECK(itemsOf(specOf(10, 2, shuffled("after_split", 0)), 0) == Items{2, 4, 3, 0, 1});
  CHECK(itemsOf(specOf(10, 2, shuffled("after_split", 0)), 1) == Items{7, 9, 8, 5, 6});
  auto strided = shuffled("after_split", 0);
  strided["contiguous"] = false;
  CHECK(itemsOf(specOf(10, 2, strided), 1) == Items{5, 9, 7, 1, 3});
}

TEST_CASE("without a seed, shuffle() goes by what np.random.seed got on each rank") {
  PipelineSpec spec = specOf(50, 2, {{"shuffle", std::string("before_split")}});
  spec.seeds.base = 7;
  CHECK(itemsOf(spec, 1) == itemsOf(specOf(50, 2, shuffled("before_split", 7)), 1));
  spec.seeds.rule = "base+rank";
  CHECK(itemsOf(spec, 1) == itemsOf(specOf(50, 2, shuffled("before_split", 8)), 1));
  spec.seeds.base = -1;
  CHECK(raisedBy(spec, 0) == "ValueError: Seed must be between 0 and 2**32 - 1");
}

TEST_CASE("shard() refuses an index outside, select() a block behind the end") {
  CHECK(datasetsShard(5, 2, 2, true).error().message == "index should be in [0, num_shards-1]");
  CHECK(datasetsShard(5, 2, -1, true).error().raised == "ValueError");
  CHECK_FALSE(datasetsShard(5, 0, 0, false));
  CHECK(raisedBy(specOf(3, 4), 2) == "nothing");
  CHECK(raisedBy(specOf(3, 4), 3) == "IndexError: Index 3 out of range for dataset of size 3.");
  CHECK(raisedBy(specOf(3, 4, {{"contiguous", false}}), 3) == "nothing");
  CHECK(itemsOf(specOf(3, 4, {{"contiguous", false}}), 3).empty());
  CHECK(raisedBy(specOf(0, 4), 3) == "nothing");
}

TEST_CASE("a negative seed is refused, but an empty dataset never looks at it") {
  const std::string refused = "ValueError: expected non-negative integer";
  CHECK(raisedBy(specOf(5, 2, shuffled("before_split", -1)), 0) == refused);
  CHECK(raisedBy(specOf(5, 2, shuffled("after_split", -1)), 1) == refused);
  CHECK(raisedBy(specOf(0, 2, shuffled("before_split", -1)), 0) == "nothing");
  CHECK(raisedBy(specOf(5, 2, shuffled("none", -1)), 0) == "nothing");
}

TEST_CASE("the parts are the dataset, each sample once, however they are shuffled") {
  for (const char* where : {"none", "before_split", "after_split"}) {
    for (const bool contiguous : {true, false}) {
      auto parameters = shuffled(where, 3);
      parameters["contiguous"] = contiguous;
      Items all;
      for (std::int64_t rank = 0; rank < 7; ++rank) {
        const Items part = itemsOf(specOf(100, 7, parameters), rank);
        all.insert(all.end(), part.begin(), part.end());
      }
      std::sort(all.begin(), all.end());
      REQUIRE(all.size() == 100);
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<SampleIndex>(i));
    }
  }
}
