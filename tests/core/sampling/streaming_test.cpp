// SPDX-License-Identifier: Apache-2.0
// streaming.StreamingDataset in a DataLoader: which rank, worker and step get which sample, and what it refuses.
#include "core/sampling/rules.h"
#include "core/sampling/streaming/shuffle.h"

#include <doctest/doctest.h>

#include <set>
#include <stop_token>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Batch = std::vector<std::int64_t>;

/// 27 samples in three shards for two ranks with two workers each: what mosaicml-streaming 89e7bb9 was run with.
PipelineSpec specOf(std::map<std::string, Value> parameters = {}) {
  PipelineSpec spec;
  spec.dataset.size = 27;
  spec.dataset.shards = {10, 10, 7};
  spec.world = {1, 2};
  spec.loader.batch_size = 2;
  spec.loader.num_workers = 2;
  spec.sampler = {"streaming.StreamingDataset",
                  {{"shuffle", true},
                   {"shuffle_algo", std::string("py1s")},
                   {"shuffle_seed", std::int64_t{0}},
                   {"num_canonical_nodes", std::int64_t{1}}}};
  for (auto& [key, value] : parameters) spec.sampler.parameters[key] = value;
  return spec;
}

/// A rank's batches, and their workers.
struct Delivered {
  std::vector<Batch> batches;
  Batch workers;
  Batch padding;  ///< items
};

Delivered delivered(const PipelineSpec& spec, Rank rank, Epoch epoch = Epoch{0}) {
  const SamplerRule rule = streamingDataset();
  REQUIRE(rule.check(spec));
  const auto order = rule.order(spec, rule.key(spec, epoch, rank), {});
  REQUIRE(order);
  const Slice slice = rule.slice(spec, epoch, rank, *order);
  const bool listed = (*order)->deal()->lists_batches;
  const Batching batching = listed ? Batching::listed((*order)->deal(), rank) : rule.batching(spec);
  Delivered out;
  out.padding = slice.addedAmong(slice.size());
  for (Step step{0}; step.value < batching.count(slice.size()); ++step) {
    const auto range = batching.range(step, slice.size());
    Batch batch;
    for (std::int64_t k = range.first; k < range.last; ++k) batch.push_back(slice.sample(k));
    out.batches.push_back(std::move(batch));
    out.workers.push_back(batching.worker(step, spec.loader.num_workers));
  }
  return out;
}

/// What the spec is refused with, when it is checked or when it is drawn.
Error refusalOf(const PipelineSpec& spec) {
  const SamplerRule rule = streamingDataset();
  if (const auto good = rule.check(spec); !good) return good.error();
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{0}), {});
  return order ? Error{} : order.error();
}

std::string raisedBy(const PipelineSpec& spec) {
  const Error refusal = refusalOf(spec);
  return refusal.message.empty() ? "" : refusal.raised + ": " + refusal.message;
}

}  // namespace

TEST_CASE("Streaming's ranks and workers take turns as the real loaders do") {
  const Delivered first = delivered(specOf(), Rank{0});
  CHECK(first.batches == std::vector<Batch>{{19, 17}, {15, 10}, {16, 22}, {23, 20}, {24, 4}, {0, 2}, {6, 3}});
  CHECK(first.workers == Batch{0, 1, 0, 1, 0, 1, 0});
  CHECK(first.padding.empty());
  const Delivered second = delivered(specOf(), Rank{1});
  CHECK(second.batches == std::vector<Batch>{{12, 14}, {11, 13}, {18, 21}, {26, 25}, {5, 9}, {8, 1}, {7, 7}});
  CHECK(second.padding == Batch{13});
}

TEST_CASE("a loader with a batch size of its own cuts each worker's samples otherwise") {
  PipelineSpec spec = specOf({{"batch_size", std::int64_t{2}}});
  spec.loader.batch_size = 3;
  const Delivered cut = delivered(spec, Rank{0});
  CHECK(cut.batches == std::vector<Batch>{{19, 17, 16}, {15, 10, 23}, {22, 24, 4}, {20, 0, 2}, {6, 3}});
  CHECK(cut.workers == Batch{0, 1, 0, 1, 0});
  CHECK(delivered(spec, Rank{1}).padding == Batch{13});
  spec.loader.drop_last = true;
  CHECK(delivered(spec, Rank{0}).batches.size() == 4);
}

TEST_CASE("Streaming goes on behind the samples that its state counts, in that epoch alone") {
  const PipelineSpec spec = specOf({{"epoch", std::int64_t{1}}, {"sample_in_epoch", std::int64_t{8}}});
  CHECK(delivered(spec, Rank{0}, Epoch{1}).batches == std::vector<Batch>{{1, 6}, {7, 2}, {4, 11}, {16, 10}, {12, 14}});
  CHECK(delivered(spec, Rank{0}).batches == delivered(specOf(), Rank{0}).batches);
  const Delivered whole = delivered(specOf(), Rank{0}, Epoch{1});
  CHECK(std::vector<Batch>(whole.batches.begin() + 2, whole.batches.end()) ==
        delivered(spec, Rank{0}, Epoch{1}).batches);
  CHECK(raisedBy(specOf({{"sample_in_epoch", std::int64_t{40}}})) ==
        "ValueError: Resuming further into the dataset (40) than it has samples (27)");
}

TEST_CASE("the global batches are the same on any number of nodes") {
  PipelineSpec wide = specOf({{"num_canonical_nodes", std::int64_t{2}}});
  wide.dataset.size = 32;
  wide.dataset.shards = {16, 16};
  wide.world = {2, 2};
  wide.loader.batch_size = 2;
  PipelineSpec narrow = wide;
  narrow.world = {1, 2};
  narrow.loader.batch_size = 4;
  const auto global = [](const PipelineSpec& spec, std::size_t step) {
    std::set<std::int64_t> samples;
    for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
      const Delivered items = delivered(spec, rank);
      REQUIRE(items.batches.size() == 4);
      samples.insert(items.batches[step].begin(), items.batches[step].end());
    }
    return samples;
  };
  for (std::size_t step = 0; step < 4; ++step) {
    CHECK(global(wide, step).size() == 8);
    CHECK(global(wide, step) == global(narrow, step));
  }
}

TEST_CASE("replicated ranks read the same") {
  PipelineSpec spec = specOf({{"replication", std::int64_t{2}}});
  spec.world = {1, 4};
  for (Rank rank{0}; rank.value < 4; ++rank) {
    CHECK(delivered(spec, rank).batches == delivered(specOf(), Rank{rank.value / 2}).batches);
  }
  CHECK(raisedBy(specOf({{"replication", std::int64_t{3}}})) ==
        "ValueError: World size must be divisible by your replication factor.");
}

TEST_CASE("what Streaming raises, and what a spec must say") {
  CHECK(raisedBy(specOf()).empty());
  CHECK(raisedBy(specOf({{"batch_size", std::string("none")}})).starts_with("ValueError: Please pass `batch_size`"));
  CHECK(raisedBy(specOf({{"shuffle_seed", std::int64_t{-1}}})) ==
        "ValueError: `shuffle_seed` must be a non-negative integer, but got: -1.");
  CHECK(raisedBy(specOf({{"sampling_granularity", std::int64_t{0}}})) ==
        "ValueError: `sampling_granularity` must be a positive integer, but got: 0.");
  CHECK(raisedBy(specOf({{"epoch_size", std::int64_t{9}}, {"choose", IndexList{5}}})) ==
        "ValueError: Only provide `choose` when weighting streams relatively");
  CHECK(raisedBy(specOf({{"streams", IndexList{1, 2}}, {"proportion", NumberList{0.5, -1}}})) ==
        "ValueError: Relative (`proportion`) and absolute (`repeat`, `choose`, none) stream weights are incompatible "
        "with each other (error in stream 1)");
  CHECK(raisedBy(specOf({{"streams", IndexList{1, 1}}})).find("do not add up to the 3") != std::string::npos);
  CHECK(raisedBy(specOf({{"repeat", NumberList{1, 2}}})).find("weights of 2") != std::string::npos);
  PipelineSpec empty = specOf();
  empty.dataset.size = 0;
  empty.dataset.shards = {};
  CHECK(raisedBy(empty).starts_with("RuntimeError: Stream contains no samples"));
}

TEST_CASE("every refusal names the field that it is about") {
  const auto fieldOf = [](std::map<std::string, Value> parameters, PipelineSpec::World world = {1, 2}) {
    PipelineSpec spec = specOf(std::move(parameters));
    spec.world = world;
    const Error refusal = refusalOf(spec);
    CAPTURE(refusal.message);
    CHECK_FALSE(refusal.message.empty());
    return refusal.place.field;
  };
  const IndexList two = {1, 2};
  const auto batching = [](const char* method) { return std::string(method); };
  CHECK(fieldOf({{"repeat", NumberList{1}}, {"choose", IndexList{5}}}) == "sampler.choose");
  CHECK(fieldOf({{"repeat", NumberList{1}}, {"proportion", NumberList{1}}}) == "sampler.repeat");
  CHECK(fieldOf({{"repeat", NumberList{-2}}}) == "sampler.repeat");
  CHECK(fieldOf({{"choose", IndexList{-2}}}) == "sampler.choose");
  CHECK(fieldOf({{"proportion", NumberList{-2}}}) == "sampler.proportion");
  CHECK(fieldOf({{"streams", two}, {"proportion", NumberList{0.5, -1}}}) == "sampler.proportion");
  CHECK(fieldOf({{"sample_in_epoch", std::int64_t{40}}}) == "sampler.sample_in_epoch");
  CHECK(fieldOf({{"choose", IndexList{0}}}) == "sampler.choose");
  CHECK(fieldOf({{"repeat", NumberList{0}}}) == "sampler.repeat");
  CHECK(fieldOf({{"choose", IndexList{0}}, {"batching_method", batching("stratified")}}) == "sampler.choose");
  CHECK(fieldOf({{"streams", two}, {"choose", IndexList{9, 1}}, {"batching_method", batching("stratified")}}) ==
        "loader.batch_size");
  CHECK(fieldOf({{"streams", two}, {"choose", IndexList{9, 1}}, {"batching_method", batching("per_stream")}}) ==
        "loader.batch_size");
  CHECK(fieldOf({{"streams", two},
                 {"choose", IndexList{9, 1}},
                 {"batch_size", std::int64_t{2}},
                 {"batching_method", batching("per_stream")}}) == "sampler.batch_size");
  CHECK(fieldOf({{"streams", two},
                 {"shuffle_block_size", std::int64_t{1}},
                 {"batching_method", batching("device_per_stream")}}) == "sampler.shuffle_block_size");
  CHECK(fieldOf({{"choose", IndexList{3}}, {"num_canonical_nodes", std::int64_t{2}}}, {8, 1}) ==
        "sampler.num_canonical_nodes");
}

TEST_CASE("every shuffle stops when it is asked to") {
  std::stop_source source;
  source.request_stop();
  const std::vector<std::int64_t> shards(4, 1000);
  for (const char* name : {"naive", "py1s", "py2s", "py1br", "py1e"}) {
    CAPTURE(name);
    const StreamingShuffleArguments arguments{*streamingShuffleNamed(name), 2, 0, 0, 1 << 18};
    const auto order = streamingShuffle(shards, arguments, Work{source.get_token(), {}});
    REQUIRE_FALSE(order);
    CHECK(order.error().code == ErrorCode::Cancelled);
  }
}
