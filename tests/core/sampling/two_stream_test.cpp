// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/two_stream.h"

#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <set>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec twoStream(const std::string& type, IndexList primary, IndexList secondary) {
  PipelineSpec spec;
  spec.dataset.size = 200;
  spec.loader.batch_size = 4;
  spec.sampler = {type,
                  {{"primary_indices", std::move(primary)},
                   {"secondary_indices", std::move(secondary)},
                   {"secondary_batch_size", std::int64_t{2}}}};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  REQUIRE(rule != nullptr);
  REQUIRE(rule->check(spec));
  auto order = rule->order(spec, rule->key(spec, Epoch{epoch}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule->slice(spec, Epoch{epoch}, Rank{rank}, *order);
  CHECK(slice.size() == rule->shape(spec, Epoch{epoch}, Rank{rank}).count);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

IndexList range(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> list;
  for (std::int64_t i = first; i < last; ++i) list.push_back(i);
  return list;
}

}  // namespace

TEST_CASE("both published TwoStreamBatchSamplers deal as they do in Python") {
  for (const char* type : {"meanteacher.TwoStreamBatchSampler", "ssl4mis.TwoStreamBatchSampler"}) {
    CAPTURE(type);
    const PipelineSpec spec = twoStream(type, range(0, 4), range(4, 10));
    CHECK(itemsOf(spec, 0, 0) == Items{2, 3, 4, 6, 1, 0, 5, 8});
    CHECK(itemsOf(spec, 1, 0) == Items{3, 0, 7, 5, 2, 1, 6, 8});
    CHECK(itemsOf(spec, 2, 1) == Items{1, 0, 6, 7, 3, 2, 4, 8});
  }
}

TEST_CASE("DataLoader workers cost a permutation before each epoch, persistent ones only before the first") {
  PipelineSpec spec = twoStream("ssl4mis.TwoStreamBatchSampler", range(0, 6), range(6, 11));
  const Items without = itemsOf(spec, 0, 0);
  spec.loader.num_workers = 2;
  CHECK(itemsOf(spec, 0, 0) == Items{1, 3, 9, 7, 4, 0, 8, 10, 2, 5, 6, 10});  // Trainer.predict draws alike
  CHECK(itemsOf(spec, 0, 0) != without);
  const Items second = itemsOf(spec, 1, 0);
  spec.loader.persistent_workers = true;
  CHECK(itemsOf(spec, 1, 0) != second);
}

TEST_CASE("the constructor asserts that each list holds its share of a batch") {
  const SamplerRule* rule = findRule("ssl4mis.TwoStreamBatchSampler");
  const auto raises = [&](const PipelineSpec& spec) {
    const auto made = rule->check(spec);
    REQUIRE_FALSE(made);
    return made.error().raised == "AssertionError" && made.error().message.empty();
  };
  CHECK(raises(twoStream("ssl4mis.TwoStreamBatchSampler", {0}, {1, 2})));
  CHECK(raises(twoStream("ssl4mis.TwoStreamBatchSampler", {0, 1}, {2})));
  PipelineSpec all_secondary = twoStream("ssl4mis.TwoStreamBatchSampler", {0, 1}, {2, 3, 4, 5});
  all_secondary.sampler.parameters["secondary_batch_size"] = std::int64_t{4};
  CHECK(raises(all_secondary));
}

TEST_CASE("NumPy takes no negative seed") {
  PipelineSpec spec = twoStream("ssl4mis.TwoStreamBatchSampler", range(0, 4), range(4, 10));
  spec.seeds.base = -1;
  const auto checked = findRule(spec.sampler.type)->check_rank(spec, Rank{0});
  REQUIRE_FALSE(checked);
  CHECK(checked.error().raised == "ValueError");
  CHECK(checked.error().message == "Seed must be between 0 and 2**32 - 1");
}

TEST_CASE("the distributed variant shares no primary sample between ranks and gives all ranks equally many batches") {
  PipelineSpec spec = twoStream("shardlens.DistributedTwoStreamBatchSampler", range(0, 31), range(100, 107));
  spec.world.ranks_per_node = 3;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    std::set<SampleIndex> primary;
    for (std::int64_t rank = 0; rank < 3; ++rank) {
      const Items items = itemsOf(spec, epoch, rank);
      REQUIRE(items.size() == 20);  // 15 batches of the epoch, 5 for each
      for (std::size_t k = 0; k < items.size(); ++k) {
        if (k % 4 >= 2) {
          CHECK(items[k] >= 100);
        } else {
          CHECK(primary.insert(items[k]).second);
        }
      }
    }
    CHECK(primary.size() == 30);
  }
  CHECK(itemsOf(spec, 0, 0) != itemsOf(spec, 1, 0));
}

TEST_CASE("the distributed variant on one rank follows the published rule") {
  PipelineSpec spec = twoStream("shardlens.DistributedTwoStreamBatchSampler", range(0, 4), range(4, 10));
  spec.world = {1, 1};
  CHECK(itemsOf(spec, 0, 0) == Items{2, 3, 4, 6, 1, 0, 5, 8});
}
