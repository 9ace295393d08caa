// SPDX-License-Identifier: Apache-2.0
// Samplers whose epochs follow from the passes made before, or from numbers that they set themselves.
#include "core/sampling/registry.h"
#include "core/sampling/torch/loader_seeds.h"
#include "core/sampling/yolov5/samplers.h"
#include "core/spec/field_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec specOf(const std::string& type, std::int64_t size, std::int64_t ranks, std::int64_t batch = 2) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch;
  spec.sampler.type = type;
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank = 0) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  REQUIRE(rule != nullptr);
  REQUIRE(rule->check(spec));
  const auto order = rule->order(spec, rule->key(spec, Epoch{epoch}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule->slice(spec, Epoch{epoch}, Rank{rank}, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

std::string raisedBy(const PipelineSpec& spec) {
  const auto checked = findRule(spec.sampler.type)->check(spec);
  return checked ? "nothing" : checked.error().raised + checked.error().message;
}

}  // namespace

TEST_CASE("RepeatSampler repeats samples in a row, and then their chunk") {
  PipelineSpec spec = specOf("trl.RepeatSampler", 5, 2);
  spec.sampler.parameters = {{"mini_repeat_count", std::int64_t{2}},
                             {"batch_size", std::int64_t{2}},
                             {"repeat_count", std::int64_t{2}},
                             {"shuffle", false}};
  CHECK(itemsOf(spec, 0) == Items{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
  CHECK(itemsOf(spec, 3) == itemsOf(spec, 0));
  spec.sampler.parameters["shuffle"] = true;
  CHECK(itemsOf(spec, 1) != itemsOf(spec, 0));
  CHECK(itemsOf(spec, 1, 1) == itemsOf(spec, 1, 0));
  spec.sampler.parameters["mini_repeat_count"] = std::int64_t{-1};
  CHECK(raisedBy(spec) == "ValueError__len__() should return >= 0");
}

TEST_CASE("Ignite adds the beginning of a second pass, not a repetition of the first") {
  PipelineSpec spec = specOf("ignite.DistributedProxySampler", 7, 3);
  spec.sampler.parameters = {{"inner", std::string("random")}};
  const SamplerRule& rule = *findRule(spec.sampler.type);
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{0}), {});
  REQUIRE(order);
  REQUIRE((*order)->size() == 9);
  std::set<SampleIndex> first;
  for (std::int64_t place = 0; place < 7; ++place) first.insert((**order)[place]);
  CHECK(first.size() == 7);
  CHECK(rule.slice(spec, Epoch{0}, Rank{2}, *order).isAdded(2));
}

TEST_CASE("Ignite seeds the stream from which the next epoch's worker seeds come") {
  PipelineSpec spec = specOf("ignite.DistributedProxySampler", 6, 3);
  spec.sampler.parameters = {{"inner", std::string("random")}};
  const std::uint64_t before = torchBaseSeed(spec, Epoch{1}, Rank{0});
  spec.seeds.base = 77;
  CHECK(torchBaseSeed(spec, Epoch{1}, Rank{1}) == before);
  CHECK(torchBaseSeed(spec, Epoch{0}, Rank{0}) != torchBaseSeed(spec, Epoch{1}, Rank{0}));
}

TEST_CASE("YOLOv5's workers ask for a pass before its epoch begins") {
  PipelineSpec spec = specOf("yolov5.InfiniteDataLoader", 40, 2);
  CHECK(itemsOf(spec, 1) != itemsOf(spec, 0));
  const Items third = itemsOf(spec, 2);
  spec.loader.num_workers = 2;
  CHECK(itemsOf(spec, 1) == itemsOf(spec, 0));
  CHECK(itemsOf(spec, 3) == third);
  spec.loader.batch_size = 20;  // one batch an epoch, and four asked for ahead
  CHECK(itemsOf(spec, 4) == itemsOf(spec, 0));
  CHECK(itemsOf(spec, 5) != itemsOf(spec, 0));
}

TEST_CASE("a YOLOv5 loader that never starts is said, not waited for") {
  PipelineSpec spec = specOf("yolov5.InfiniteDataLoader", 6, 2, 4);
  spec.loader.drop_last = true;
  CHECK(raisedBy(spec) == "nothing");
  spec.loader.num_workers = 1;
  CHECK(raisedBy(spec) == "no rank has a whole batch, and the loader's constructor then asks for one forever.");
}

TEST_CASE("YOLOv5's ranks keep their images, and one without images says so") {
  PipelineSpec spec = specOf("yolov5.SmartDistributedSampler", 12, 3);
  const auto sorted = [&](std::int64_t epoch) {
    Items items = itemsOf(spec, epoch, 1);
    std::ranges::sort(items);
    return items;
  };
  const std::vector<std::uint32_t> images = yolov5Images(12, 3, Rank{1});
  CHECK(sorted(0) == Items(images.begin(), images.end()));
  CHECK(sorted(5) == sorted(0));
  spec.dataset.size = 2;
  const auto refused = findRule(spec.sampler.type)->check_rank(spec, Rank{2});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().raised == "IndexError");
}

TEST_CASE("Paddle pads before it shuffles, and raises its epoch number itself") {
  PipelineSpec spec = specOf("paddle.DistributedBatchSampler", 5, 4);
  spec.sampler.parameters = {{"shuffle", true}, {"epoch", std::int64_t{3}}};
  const Items third = itemsOf(spec, 1);
  spec.sampler.parameters["epoch"] = std::int64_t{4};
  CHECK(itemsOf(spec, 0) == third);
  spec.sampler.parameters["epoch"] = std::int64_t{-1};
  CHECK(raisedBy(spec) == "ValueErrorSeed must be between 0 and 2**32 - 1");
  spec.sampler.parameters["shuffle"] = false;
  CHECK(itemsOf(spec, 0, 3) == Items{1, 2});
}

TEST_CASE("litData reads a chunk that two nodes share twice from the second epoch on") {
  PipelineSpec spec = specOf("litdata.StreamingDataset", 30, 2, 1);
  spec.world = {2, 1};
  spec.dataset.shards = {10, 10, 10};
  spec.sampler.parameters = {{"shuffle", std::string("full")}};
  const auto together = [&](std::int64_t epoch) {
    std::multiset<SampleIndex> all;
    for (const SampleIndex id : itemsOf(spec, epoch, 0)) all.insert(id);
    for (const SampleIndex id : itemsOf(spec, epoch, 1)) all.insert(id);
    return all;
  };
  CHECK(together(0).size() == 30);
  CHECK(together(1).size() == 40);
  spec.sampler.parameters["node_shard_fits"] = false;
  CHECK(together(1).size() == 30);
}

TEST_CASE("OLMo-core never reads what is behind the last whole chunk") {
  PipelineSpec spec = specOf("olmo_core.NumpyFSLDataLoader", 9, 2, 2);
  spec.sampler.parameters = {{"chunk_size", std::int64_t{4}}};
  std::set<SampleIndex> seen;
  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    for (const std::int64_t rank : {0, 1}) {
      for (const SampleIndex id : itemsOf(spec, epoch, rank)) seen.insert(id);
    }
  }
  CHECK(seen.size() == 8);
  CHECK_FALSE(seen.contains(8));
  spec.sampler.parameters["epoch"] = std::int64_t{0};
  CHECK(raisedBy(spec) == "ValueError'epoch' must be at least 1, got 0");
}

TEST_CASE("Megatron-Bridge since PR 5944 gives all ranks as many batches") {
  PipelineSpec spec = specOf("megatron_bridge.MegatronPretrainingRandomSampler", 10, 3, 2);
  spec.sampler.parameters = {{"data_sharding", false}};
  CHECK(itemsOf(spec, 0, 0).size() != itemsOf(spec, 0, 2).size());
  spec.sampler.parameters["release"] = std::string("since_2026-09-03");
  std::set<SampleIndex> all;
  for (const std::int64_t rank : {0, 1, 2}) {
    const Items items = itemsOf(spec, 0, rank);
    CHECK(items.size() == 2);
    all.insert(items.begin(), items.end());
  }
  CHECK(all.size() == 6);
}

TEST_CASE("nanoGPT's rank r reads what rank 0 of a run with its seed plus r reads") {
  PipelineSpec spec = specOf("nanogpt.get_batch", 100, 2, 4);
  spec.seeds = {1337, "base+rank"};
  const Items second = itemsOf(spec, 0, 1);
  spec.seeds.base = 1338;
  CHECK(itemsOf(spec, 0, 0) == second);
  CHECK(std::ranges::max(second) < 92);
}
