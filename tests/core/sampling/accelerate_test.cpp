// SPDX-License-Identifier: Apache-2.0
// What processes get from accelerator.prepare(). The answers are those of Accelerate 16cb6eb in groups of two and three
// real processes over gloo.
#include "core/sampling/accelerate/samplers.h"
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<SampleIndex>;

PipelineSpec prepared(const std::string& type, std::int64_t size, std::int64_t batch, std::int64_t processes,
                      std::map<std::string, Value> parameters) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, processes};
  spec.loader.batch_size = batch;
  spec.seeds.base = 0;
  spec.sampler = {"accelerate." + type, std::move(parameters)};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank) {
  const SamplerRule* rule = findRule(spec.sampler.type);
  REQUIRE(rule != nullptr);
  const auto order = rule->order(spec, rule->key(spec, Epoch{epoch}, Rank{rank}), {});
  REQUIRE(order);
  const Slice slice = rule->slice(spec, Epoch{epoch}, Rank{rank}, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

std::string refusal(const PipelineSpec& spec) {
  const auto checked = findRule(spec.sampler.type)->check(spec);
  return checked ? std::string() : checked.error().raised + ": " + checked.error().message;
}

}  // namespace

TEST_CASE("the dispatcher sends each process its part of every global batch") {
  const PipelineSpec spec = prepared("DataLoaderDispatcher", 13, 2, 3, {{"shuffle", true}});
  CHECK(itemsOf(spec, 0, 0) == Items{6, 4, 8, 0, 12});
  CHECK(itemsOf(spec, 0, 2) == Items{1, 10, 5, 2, 4});
  CHECK(itemsOf(spec, 1, 1) == Items{3, 8, 4, 11, 1});
  // The short last batch is completed by the first samples.
  CHECK(itemsOf(prepared("DataLoaderDispatcher", 5, 4, 2, {{"split_batches", true}}), 0, 1) == Items{2, 3, 0});
}

TEST_CASE("ranks that seed torch differently permute differently unless data_seed is given") {
  PipelineSpec spec = prepared("BatchSamplerShard", 10, 2, 2, {{"use_seedable_sampler", true}});
  spec.seeds.rule = "base+rank";
  const SamplerRule* rule = findRule(spec.sampler.type);
  CHECK(rule->key(spec, Epoch{0}, Rank{0}) != rule->key(spec, Epoch{0}, Rank{1}));
  // Rank 1 is one seed ahead: what rank 0 permutes by in its next epoch.
  CHECK(rule->key(spec, Epoch{0}, Rank{1}) == rule->key(spec, Epoch{1}, Rank{0}));
  spec.sampler.parameters["data_seed"] = std::int64_t{5};
  CHECK(rule->key(spec, Epoch{0}, Rank{0}) == rule->key(spec, Epoch{0}, Rank{1}));
  // Without the seedable sampler rank 0's generator is everybody's.
  spec.sampler.parameters = {{"use_seedable_sampler", false}};
  CHECK(rule->key(spec, Epoch{1}, Rank{0}) == rule->key(spec, Epoch{1}, Rank{1}));
}

TEST_CASE("shards of an iterable dataset are completed, but not for a single process") {
  const auto shards = [](std::int64_t size, std::int64_t batch, std::int64_t processes) {
    return prepared("IterableDatasetShard", size, batch, processes, {{"split_batches", true}});
  };
  CHECK(itemsOf(shards(7, 12, 2), 0, 1) == Items{6, 0, 1, 2, 3, 4});
  CHECK(itemsOf(shards(7, 12, 1), 0, 0) == Items{0, 1, 2, 3, 4, 5, 6});
  const auto alone = accelerateIterableShardAlone(shards(7, 12, 1), Rank{0});
  REQUIRE(alone);
  CHECK(alone->size() == 12);
}

TEST_CASE("prepare() refuses batches that split_batches cannot cut") {
  const std::string uneven =
      "ValueError: To use a `DataLoader` in `split_batches` mode, the batch size (3) needs to be a round multiple of "
      "the number of processes (2).";
  for (const char* type : {"BatchSamplerShard", "DataLoaderDispatcher", "IterableDatasetShard"}) {
    CAPTURE(type);
    CHECK(refusal(prepared(type, 24, 3, 2, {{"split_batches", true}})) == uneven);
    CHECK(refusal(prepared(type, 24, 4, 2, {{"split_batches", true}})).empty());
    CHECK(refusal(prepared(type, 24, 3, 2, {})).empty());
  }
  CHECK(refusal(prepared("IterableDatasetShard", 24, 1, 2, {{"split_batches", true}})) ==
        "ValueError: batch_size should be a positive integer value, but got batch_size=0");
  CHECK(refusal(prepared("DataLoaderDispatcher", 24, 1, 2, {{"split_batches", true}})).empty());
}

TEST_CASE("prepare() divides what a DistributedSampler has divided already, and tells it the epoch") {
  PipelineSpec spec = prepared("DataLoaderShard", 17, 2, 2, {{"inner", std::string("torch.DistributedSampler")}});
  CHECK(itemsOf(spec, 0, 0) == Items{7, 10, 9, 3, 0, 7});
  CHECK(itemsOf(spec, 0, 1) == Items{8, 6, 4, 14, 5, 8});
  spec.sampler.parameters["set_epoch"] = false;
  CHECK(itemsOf(spec, 1, 1) == Items{6, 8, 7, 5, 13, 6});
}

TEST_CASE("a prepared sampler draws from rank 0's generator, however the ranks are seeded") {
  PipelineSpec spec = prepared("DataLoaderShard", 7, 2, 2,
                               {{"inner", std::string("torch.WeightedRandomSampler")},
                                {"weights", NumberList{1, 2, 3, 4, 5, 6, 7}},
                                {"num_samples", std::int64_t{8}}});
  spec.seeds = {5, "base+rank"};
  CHECK(itemsOf(spec, 0, 0) == Items{5, 2, 3, 1});
  CHECK(itemsOf(spec, 0, 1) == Items{6, 1, 6, 5});
  CHECK(itemsOf(spec, 1, 0) == Items{5, 5, 4, 3});
  CHECK(itemsOf(spec, 1, 1) == Items{2, 2, 0, 5});
}

TEST_CASE("a prepared list is filled up from its own beginning, or ends unevenly") {
  PipelineSpec spec = prepared("DataLoaderShard", 10, 2, 2,
                               {{"inner", std::string("python.list")}, {"indices", IndexList{9, 3, 5, 1, 0, 7, 2}}});
  CHECK(itemsOf(spec, 0, 0) == Items{9, 3, 0, 7});
  CHECK(itemsOf(spec, 0, 1) == Items{5, 1, 2, 9});
  spec.sampler.parameters["even_batches"] = false;
  CHECK(itemsOf(spec, 0, 1) == Items{5, 1, 2});
  spec.loader.drop_last = true;
  CHECK(itemsOf(spec, 0, 0) == Items{9, 3});
}

TEST_CASE("a batch sampler of the script is dealt batch by batch, whatever the loader's drop_last says") {
  PipelineSpec spec = prepared("DataLoaderShard", 12, 2, 3,
                               {{"inner", std::string("ssl4mis.TwoStreamBatchSampler")},
                                {"primary_indices", IndexList{0, 1, 2, 3}},
                                {"secondary_indices", IndexList{4, 5, 6, 7, 8}},
                                {"secondary_batch_size", std::int64_t{1}}});
  spec.loader.drop_last = true;
  spec.loader.num_workers = 2;  // the loader asks BatchSamplerShard for its iterator, not the batch sampler
  PipelineSpec alone = spec;
  alone.sampler.type = "ssl4mis.TwoStreamBatchSampler";
  std::erase_if(alone.sampler.parameters, [](const auto& given) { return given.first == "inner"; });
  alone.loader.num_workers = 0;
  const Items pass = itemsOf(alone, 0, 0);
  REQUIRE(pass.size() == 8);
  CHECK(itemsOf(spec, 0, 0) == Items{pass[0], pass[1], pass[6], pass[7]});
  CHECK(itemsOf(spec, 0, 1) == Items{pass[2], pass[3], pass[0], pass[1]});
  CHECK(itemsOf(spec, 0, 2) == Items{pass[4], pass[5], pass[2], pass[3]});
}

TEST_CASE("a long dispatch can be stopped") {
  const PipelineSpec spec = prepared("DataLoaderDispatcher", 1000, 1, 2, {});
  const SamplerRule* rule = findRule(spec.sampler.type);
  std::stop_source stop;
  stop.request_stop();
  Work work;
  work.stop = stop.get_token();
  CHECK_FALSE(rule->order(spec, rule->key(spec, Epoch{0}, Rank{0}), work));
}
