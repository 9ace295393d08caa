// SPDX-License-Identifier: Apache-2.0
// WebDataset in a DataLoader: who reads which shards, what its shuffles repeat, and what it refuses.
#include "core/sampling/webdataset/webdataset.h"

#include "core/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stop_token>

using namespace shardlens;

namespace {

using Items = std::vector<std::int64_t>;

/// Six shards of four samples, for two ranks.
PipelineSpec specOf(std::map<std::string, Value> parameters, std::int64_t num_workers = 0) {
  PipelineSpec spec;
  spec.dataset.shards = IndexList(6, 4);
  spec.dataset.size = 24;
  spec.world = {1, 2};
  spec.loader.num_workers = num_workers;
  spec.epochs = 3;
  spec.sampler = {"webdataset.WebDataset", std::move(parameters)};
  return spec;
}

RankEpoch rankEpoch(const PipelineSpec& spec, Epoch epoch, Rank rank = {}) {
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  auto rank_epoch = plan->rankEpoch(epoch, rank);
  REQUIRE(rank_epoch);
  return *rank_epoch;
}

Items itemsOf(const PipelineSpec& spec, Epoch epoch, Rank rank = {}) {
  const RankEpoch items = rankEpoch(spec, epoch, rank);
  Items samples;
  for (std::int64_t k = 0; k < items.size(); ++k) samples.push_back(items.sample(k));
  return samples;
}

Error errorOf(const PipelineSpec& spec) {
  const auto plan = Plan::make(spec);
  REQUIRE_FALSE(plan);
  return plan.error();
}

}  // namespace

TEST_CASE("shards go to ranks in turn, then to workers, whose batches alternate") {
  CHECK(itemsOf(specOf({}), Epoch{0}, Rank{1}) == Items{4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23});
  // Rank 0 has shards 0, 2, 4: worker 0 reads 0 and 4, worker 1 reads 2.
  const RankEpoch dealt = rankEpoch(specOf({}, 2), Epoch{0});
  REQUIRE(dealt.batches() == 6);
  CHECK(dealt.batchSamples(Step{0}) == Items{0, 1});
  CHECK(dealt.batchSamples(Step{1}) == Items{8, 9});
  CHECK(dealt.worker(Step{1}) == 1);
  CHECK(dealt.batchSamples(Step{5}) == Items{18, 19});
  CHECK(dealt.worker(Step{5}) == 0);
}

TEST_CASE("a seeded shuffle repeats itself; detshuffle follows the epoch as long as its worker lives") {
  const auto orders = [](bool det, std::int64_t workers, bool persistent) {
    PipelineSpec spec = specOf({{"nodesplitter", std::string("none")},
                                {"shardshuffle", std::int64_t{100}},
                                {"seed", std::int64_t{7}},
                                {"detshuffle", det}},
                               workers);
    spec.loader.persistent_workers = persistent;
    return std::pair{itemsOf(spec, Epoch{0}), itemsOf(spec, Epoch{1})};
  };
  const auto [plain_first, plain_second] = orders(false, 0, false);
  CHECK(plain_first == plain_second);
  const auto [det_first, det_second] = orders(true, 0, false);
  CHECK(det_first == plain_first);
  CHECK(det_first != det_second);
  const auto [anew_first, anew_second] = orders(true, 1, false);
  CHECK(anew_first == anew_second);
  const auto [kept_first, kept_second] = orders(true, 1, true);
  CHECK(kept_first != kept_second);
}

TEST_CASE("the buffer's shuffle keeps every item, and gives none out before it holds enough") {
  Items items(50);
  std::iota(items.begin(), items.end(), 0);
  const Items shuffled = sampling::WebDatasetShuffle{10, 4}.run(items, PythonRandom(0));
  CHECK(shuffled != items);
  CHECK(std::ranges::is_permutation(shuffled, items));
  CHECK(sampling::WebDatasetShuffle{1, 100}.run(items, PythonRandom(0)) == items);
}

TEST_CASE("WebDataset's exceptions and what nobody can know") {
  const Error single = errorOf(specOf({{"nodesplitter", std::string("single_node_only")}}));
  CHECK(single.raised + ": " + single.message ==
        "ValueError: you need to add an explicit nodesplitter to your input pipeline for multi-node training");
  const Error empty = errorOf(specOf({}, 4));  // three shards a rank
  CHECK(empty.raised == "ValueError");
  CHECK(empty.message.starts_with("No samples found in dataset"));
  CHECK(itemsOf(specOf({{"empty_check", false}}, 4), Epoch{0}).size() == 12);
  for (const char* key : {"shardshuffle", "shuffle"}) {
    const Error unknown = errorOf(specOf({{key, std::int64_t{10}}}));
    CHECK(unknown.code == ErrorCode::Unsupported);
    CHECK(unknown.message.starts_with("not predictable: "));
  }
}

TEST_CASE("ResampledShards draws by worker and epoch, with a seed that collides from 1000 workers on") {
  PipelineSpec spec = specOf({{"nshards", std::int64_t{5}}});
  spec.sampler.type = "webdataset.ResampledShards";
  CHECK(itemsOf(spec, Epoch{0}).size() == 20);
  CHECK(itemsOf(spec, Epoch{0}) != itemsOf(spec, Epoch{1}));
  CHECK(itemsOf(spec, Epoch{0}) != itemsOf(spec, Epoch{0}, Rank{1}));
  CHECK(sampling::webDatasetWorkerSeed(0, 1000) == sampling::webDatasetWorkerSeed(1, 0));
  spec.sampler.parameters["deterministic"] = false;
  CHECK(errorOf(spec).message.starts_with("not predictable: "));
}

TEST_CASE("make_seed folds hashes, -1 as Python hashes it") {
  CHECK(sampling::webDatasetSeed(Items{1002, 3, 7}) == 963022);
  CHECK(sampling::webDatasetSeed(Items{1099511627776, -1, 5}) == 2147483591);
}

TEST_CASE("with_epoch counts in each worker, and begins the shards again where they end") {
  // Rank 0 has shards 0, 2, 4: worker 0 reads 0 and 4, worker 1 reads 2.
  const RankEpoch dealt = rankEpoch(specOf({{"with_epoch", std::int64_t{10}}}, 2), Epoch{0});
  CHECK(dealt.size() == 20);
  CHECK(dealt.batches() == 10);
  CHECK(dealt.batchSamples(Step{8}) == Items{0, 1});
  CHECK(dealt.batchSamples(Step{9}) == Items{8, 9});
  CHECK(itemsOf(specOf({{"with_epoch", std::int64_t{3}}}), Epoch{1}) == Items{0, 1, 2});
  CHECK(itemsOf(specOf({{"with_epoch", std::int64_t{3}}, {"empty_check", false}}, 4), Epoch{0}).size() == 9);
}

TEST_CASE("endless ResampledShards need with_epoch and a sample") {
  PipelineSpec spec = specOf({{"nshards", std::string("endless")}});
  spec.sampler.type = "webdataset.ResampledShards";
  CHECK(errorOf(spec).message == "ResampledShards without nshards never ends.");
  spec.sampler.parameters["with_epoch"] = std::int64_t{7};
  CHECK(itemsOf(spec, Epoch{2}).size() == 7);
  spec.dataset = {};
  spec.dataset.size = 0;
  CHECK(errorOf(spec).code == ErrorCode::Unsupported);
}

TEST_CASE("a stop ends passes over samples that are few") {
  PipelineSpec spec = specOf({{"with_epoch", std::int64_t{100'000'000}}});
  std::stop_source stop;
  stop.request_stop();
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto stopped = plan->rankEpoch(Epoch{0}, Rank{0}, Work{stop.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
}
