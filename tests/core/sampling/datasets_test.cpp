// SPDX-License-Identifier: Apache-2.0
// Hugging Face datasets: parts of a Dataset, streams of an IterableDataset.
#include "core/sampling/datasets/dataset.h"
#include "core/sampling/datasets/iterable_dataset.h"
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

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

PipelineSpec streamOf(const IndexList& shards, std::int64_t world, std::int64_t workers,
                      std::map<std::string, Value> parameters = {}) {
  PipelineSpec spec;
  spec.dataset.shards = shards;
  spec.dataset.size = std::accumulate(shards.begin(), shards.end(), std::int64_t{0});
  spec.world = {1, world};
  spec.loader.num_workers = workers;
  spec.sampler = {"datasets.IterableDataset", std::move(parameters)};
  return spec;
}

std::map<std::string, Value> buffered(std::int64_t size, std::int64_t seed) {
  return {{"shuffle", true}, {"buffer_size", size}, {"seed", seed}};
}

Items streamed(const PipelineSpec& spec, std::int64_t rank, std::int64_t worker = 0, std::int64_t epoch = 0) {
  const auto stream = datasetsWorkerStream(spec, Epoch{epoch}, Rank{rank}, worker);
  REQUIRE(stream);
  return *stream;
}

std::string streamError(const PipelineSpec& spec, std::int64_t worker = 0) {
  const auto stream = datasetsWorkerStream(spec, Epoch{0}, Rank{0}, worker);
  return stream ? "nothing" : stream.error().raised + ": " + stream.error().message;
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

TEST_CASE("ranks have shards of their own where the world size divides them, else they skip samples") {
  CHECK(streamed(streamOf({3, 3, 3, 3}, 2, 0), 1) == Items{3, 4, 5, 9, 10, 11});
  CHECK(streamed(streamOf({5, 1, 4}, 2, 0), 1) == Items{1, 3, 5, 7, 9});
  CHECK(streamed(streamOf({5, 1, 4}, 2, 0, {{"split_by_node", false}}), 0).size() == 10);
}

TEST_CASE("workers take each num_workers-th shard of their rank, and surplus ones nothing") {
  const PipelineSpec spec = streamOf({2, 2, 2, 2}, 2, 3);
  CHECK(streamed(spec, 1, 0) == Items{2, 3});
  CHECK(streamed(spec, 1, 1) == Items{6, 7});
  CHECK(streamed(spec, 1, 2).empty());
}

TEST_CASE("the buffer is shuffled as default_rng(seed) draws, a thousand places at once") {
  CHECK(streamed(streamOf({10}, 1, 1, buffered(4, 0)), 0) == Items{3, 0, 4, 6, 5, 8, 1, 9, 2, 7});
  const Items long_one = streamed(streamOf({1500, 1500}, 1, 2, buffered(10, 42)), 0, 0, 3);
  CHECK(Items(long_one.begin(), long_one.begin() + 6) == Items{4, 1504, 1, 1503, 5, 1506});
  CHECK(Items(long_one.end() - 6, long_one.end()) == Items{2993, 1494, 2997, 2999, 1496, 1498});
}

TEST_CASE("a buffer below 0 holds everything, a buffer of 0 raises as soon as a sample comes") {
  CHECK(streamed(streamOf({8}, 1, 0, buffered(-1, 0)), 0) == Items{2, 4, 3, 6, 5, 0, 1, 7});
  CHECK(streamError(streamOf({8}, 1, 2, buffered(0, 0))) == "ValueError: high <= 0");
  CHECK(streamError(streamOf({8}, 1, 2, buffered(0, 0)), 1) == "nothing");
  CHECK(streamError(streamOf({0}, 1, 0, buffered(0, 0))) == "nothing");
}

TEST_CASE("shuffle() with few shards leaves one worker something to read") {
  auto parameters = buffered(1, 0);
  CHECK(streamed(streamOf({2, 2, 2, 2}, 1, 2, parameters), 0, 0) == Items{4, 0, 2, 6, 5, 1, 3, 7});
  CHECK(streamed(streamOf({2, 2, 2, 2}, 1, 2, parameters), 0, 1).empty());
  parameters["max_buffer_input_shards"] = std::int64_t{1};
  CHECK(streamed(streamOf({2, 2, 2, 2}, 1, 2, parameters), 0, 0) == Items{4, 5, 2, 3});
  CHECK(streamed(streamOf({2, 2, 2, 2}, 1, 2, parameters), 0, 1) == Items{0, 1, 6, 7});
}

TEST_CASE("an epoch shuffles the shards by its number, also without shuffle(), unless set_epoch is forgotten") {
  const IndexList shards(20, 1);
  PipelineSpec spec = streamOf(shards, 1, 0);
  CHECK(streamed(spec, 0, 0, 0) != streamed(spec, 0, 0, 1));
  CHECK(streamed(spec, 0, 0, 1) != streamed(spec, 0, 0, 2));
  spec.sampler.parameters["set_epoch"] = false;
  CHECK(streamed(spec, 0, 0, 0) == streamed(spec, 0, 0, 2));
  const SamplerRule& rule = *findRule(spec.sampler.type);
  CHECK(rule.key(spec, Epoch{0}, Rank{0}) == rule.key(spec, Epoch{2}, Rank{0}));
}

TEST_CASE("shuffle() needs a seed, from 0 on") {
  const PipelineSpec unseeded = streamOf({4}, 2, 0, {{"shuffle", true}});
  const auto checked = findRule(unseeded.sampler.type)->check(unseeded);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == ErrorCode::Unsupported);
  CHECK(streamError(streamOf({4}, 2, 0, buffered(1, -1))) == "ValueError: expected non-negative integer");
}

TEST_CASE("all workers of all ranks together read each sample once") {
  using Shards = std::vector<std::int64_t>;
  for (const Shards& shards : {Shards(6, 7), Shards{5, 0, 1, 9}, Shards(23, 3), Shards{40}}) {
    for (std::int64_t world = 1; world <= 4; ++world) {
      for (const std::int64_t workers : {0, 1, 3}) {
        PipelineSpec spec = streamOf(shards, world, workers, buffered(5, 9));
        Items all;
        for (std::int64_t rank = 0; rank < world; ++rank) {
          for (std::int64_t worker = 0; worker < std::max<std::int64_t>(1, workers); ++worker) {
            const Items own = streamed(spec, rank, worker, 1);
            all.insert(all.end(), own.begin(), own.end());
          }
        }
        std::sort(all.begin(), all.end());
        Items whole(static_cast<std::size_t>(spec.dataset.size));
        std::iota(whole.begin(), whole.end(), SampleIndex{0});
        CHECK(all == whole);
      }
    }
  }
}
