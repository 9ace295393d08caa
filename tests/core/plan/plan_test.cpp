// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"

#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <stop_token>

using namespace shardlens;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

PipelineSpec seedExample() {
  PipelineSpec spec;
  spec.sampler.parameters = {{"shuffle", true}, {"seed", std::int64_t{0}}, {"set_epoch", true}};
  return spec;
}

Batches batchesOf(const Plan& plan, std::int64_t epoch, std::int64_t rank) {
  const auto rank_epoch = plan.rankEpoch(Epoch{epoch}, Rank{rank});
  REQUIRE(rank_epoch);
  Batches batches;
  for (Step step{0}; step.value < rank_epoch->batches(); ++step) batches.push_back(rank_epoch->batchSamples(step));
  return batches;
}

}  // namespace

TEST_CASE("DistributedSampler deals 16 samples to 2 ranks as PyTorch does") {
  const auto plan = Plan::make(seedExample());
  REQUIRE(plan);
  CHECK(batchesOf(*plan, 0, 0) == Batches{{12, 9}, {11, 13}, {2, 15}, {4, 7}});
  CHECK(batchesOf(*plan, 0, 1) == Batches{{10, 6}, {8, 5}, {14, 0}, {3, 1}});
  CHECK(batchesOf(*plan, 1, 0) == Batches{{5, 6}, {11, 7}, {1, 9}, {10, 13}});
}

TEST_CASE("a forgotten set_epoch repeats epoch 0") {
  PipelineSpec spec = seedExample();
  spec.sampler.parameters["set_epoch"] = false;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  CHECK(batchesOf(*plan, 1, 0) == batchesOf(*plan, 0, 0));
}

TEST_CASE("shapes agree with the orders they announce") {
  for (std::int64_t size : {0, 1, 5, 16, 23}) {
    for (std::int64_t ranks : {1, 2, 3, 7}) {
      for (const bool drop : {false, true}) {
        PipelineSpec spec = seedExample();
        spec.dataset.size = size;
        spec.world.ranks_per_node = ranks;
        spec.sampler.parameters["drop_last"] = drop;
        const auto plan = Plan::make(spec);
        REQUIRE(plan);
        for (Rank rank{0}; rank.value < ranks; ++rank) {
          CAPTURE(size);
          CAPTURE(ranks);
          CAPTURE(rank.value);
          const RankEpochShape shape = *plan->shape(Epoch{0}, rank);
          const auto rank_epoch = plan->rankEpoch(Epoch{0}, rank);
          REQUIRE(rank_epoch);
          CHECK(rank_epoch->size() == shape.samples);
          CHECK(rank_epoch->batches() == shape.batches);
          std::int64_t added = 0;
          for (std::int64_t k = 0; k < rank_epoch->size(); ++k) added += rank_epoch->slice().isAdded(k) ? 1 : 0;
          CHECK(added == shape.added);
        }
      }
    }
  }
}

TEST_CASE("a rank outside num_replicas raises what the framework raises") {
  PipelineSpec spec = seedExample();
  spec.sampler.parameters["num_replicas"] = std::int64_t{1};
  const auto plan = Plan::make(spec);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message == "Invalid rank 1, rank should be in the interval [0, 0]");
}

TEST_CASE("stopped work is cancelled") {
  std::stop_source stop;
  stop.request_stop();
  PipelineSpec spec = seedExample();
  spec.dataset.size = 1'000'000;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto epoch = plan->epoch(Epoch{0}, Work{stop.get_token(), {}});
  REQUIRE_FALSE(epoch);
  CHECK(epoch.error().code == ErrorCode::Cancelled);
}

TEST_CASE("counts that must be drawn and cannot be are an error, not zeroes") {
  PipelineSpec spec = seedExample();
  spec.sampler.type = "streaming.StreamingDataset";
  spec.sampler.parameters = {};
  spec.dataset.size = 1000;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  REQUIRE_FALSE(plan->knowsShapes());
  std::stop_source stop;
  stop.request_stop();
  const Work stopped{stop.get_token(), {}};
  REQUIRE_FALSE(plan->epochShape(Epoch{0}, stopped));
  CHECK(plan->epochShape(Epoch{0}, stopped).error().code == ErrorCode::Cancelled);
  CHECK_FALSE(plan->steps(Epoch{0}, stopped));
  CHECK_FALSE(plan->shape(Epoch{0}, Rank{0}, stopped));
  const auto shape = plan->epochShape(Epoch{0});  // the failure is not kept
  REQUIRE(shape);
  CHECK(shape->steps > 0);
  CHECK(shape->steps == *plan->steps(Epoch{0}));
}

TEST_CASE("orders of which each rank has its own part take the memory of one") {
  PipelineSpec spec;
  spec.dataset.size = 4'200'000;
  spec.world = {128, 8};
  spec.sampler = {"grain.IndexSampler", {}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto epoch = plan->epoch(Epoch{0});
  REQUIRE(epoch);
  CHECK(epoch->ranks.back().sample(0) == 4'200'000 - epoch->ranks.back().size());
}

TEST_CASE("the counts of a drawn epoch are those told without drawing") {
  PipelineSpec spec = seedExample();
  spec.dataset.size = 23;
  spec.world.ranks_per_node = 3;
  spec.loader.drop_last = true;
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  REQUIRE(plan->knowsShapes());
  const auto told = plan->epochShape(Epoch{1});
  REQUIRE(told);
  const EpochShape drawn = shapeOf(*plan->epoch(Epoch{1}));
  CHECK(drawn.ranks == told->ranks);
  CHECK(drawn.steps == told->steps);
  CHECK(drawn.dropped == told->dropped);
}

TEST_CASE("what workers drop is counted worker by worker") {
  PipelineSpec spec;
  spec.dataset.size = 46;
  spec.world = {1, 1};
  spec.loader.batch_size = 8;
  spec.loader.num_workers = 3;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset", {{"worker_split", std::string("stride")}}};
  CHECK((*Plan::make(spec)->shape(Epoch{0}, Rank{0}) == RankEpochShape{46, 0, 4, 14, 2}));
  spec.loader.batch_size = 9;
  CHECK((*Plan::make(spec)->shape(Epoch{0}, Rank{0}) == RankEpochShape{46, 0, 3, 19, 3}));
  spec.loader.drop_last = false;
  CHECK((*Plan::make(spec)->shape(Epoch{0}, Rank{0}) == RankEpochShape{46, 0, 6, 0, 0}));
}

TEST_CASE("a worker drops less than a batch, and all of them what the rank drops") {
  test::SmallSpecs specs(20261127);
  int dropping = 0;
  for (int i = 0; i < 200; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
      const auto items = plan.rankEpoch(Epoch{0}, rank);
      REQUIRE(items);
      const auto& deal = items->slice().order()->deal();
      if (deal == nullptr || deal->droppedOf(rank).empty()) continue;
      std::int64_t dropped = 0;
      for (const Deal::DroppedBatch& batch : deal->droppedOf(rank)) {
        CHECK(batch.first == items->position(items->handedOut() + dropped));
        CHECK((batch.count > 0 && batch.count < plan.spec().loader.batch_size));
        dropped += batch.count;
      }
      CHECK(dropped == plan.shape(Epoch{0}, rank)->dropped);
      ++dropping;
    }
  }
  CHECK(dropping > 5);
}

TEST_CASE("plans that differ in the seeds alone share the orders that do not follow them") {
  PipelineSpec spec = seedExample();
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  spec.seeds.rule = "base+rank";
  const auto order = [](const Plan& of) { return of.rankEpoch(Epoch{0}, Rank{1})->slice().order(); };
  CHECK(order(*Plan::make(spec, *plan)) == order(*plan));
  CHECK(order(*Plan::make(spec)) != order(*plan));
  spec.loader.drop_last = true;
  CHECK(order(*Plan::make(spec, *plan)) != order(*plan));
}

TEST_CASE("a plan with other seeds than a known one is the same as without it") {
  test::SmallSpecs specs(20261128, true);
  for (int i = 0; i < 200; ++i) {
    const Plan known = specs.next();
    CAPTURE(test::describe(known.spec()));
    for (const Epoch epoch : {Epoch{0}, Epoch{known.epochs() - 1}}) REQUIRE(known.epoch(epoch));
    PipelineSpec spec = known.spec();
    spec.seeds = {3, known.spec().seeds.rule == "same" ? "base+rank" : "same"};
    const auto plan = Plan::make(spec, known);
    const auto alone = Plan::make(spec);
    REQUIRE(plan.has_value() == alone.has_value());
    for (Rank rank{0}; plan && rank.value < plan->worldSize(); ++rank) {
      for (const std::int64_t epoch : {std::int64_t{0}, plan->epochs() - 1}) {
        const auto one = plan->rankEpoch(Epoch{epoch}, rank);
        const auto other = alone->rankEpoch(Epoch{epoch}, rank);
        REQUIRE(one.has_value() == other.has_value());
        if (one) CHECK(one->fingerprint() == other->fingerprint());
      }
    }
  }
}

TEST_CASE("nodes with different numbers of ranks: each process divides by what it is told on its node") {
  PipelineSpec spec = seedExample();
  spec.dataset.size = 60'000;
  spec.world = {2, RanksPerNode({2, 1})};
  spec.sampler.parameters["num_replicas"] = std::string(kNodesTimesRanks);  // pytorch-lightning#19898
  const auto refused = Plan::make(spec);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().raised == "ValueError");
  CHECK(refused.error().message == "Invalid rank 2, rank should be in the interval [0, 1]");
  CHECK(refused.error().hint ==
        "raised by rank 2; it divides by 2, ranks of another node by 4: give all the world size, 3");

  spec.sampler.parameters["num_replicas"] = std::string("world_size");
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  CHECK(plan->worldSize() == 3);
  CHECK(plan->shape(Epoch{0}, Rank{2})->samples == 20'000);

  spec.dataset.size = 12;
  spec.sampler.parameters = {
      {"shuffle", false}, {"num_replicas", std::string("ranks_per_node")}, {"rank", std::string("local_rank")}};
  const auto by_node = Plan::make(spec);
  REQUIRE(by_node);
  CHECK(batchesOf(*by_node, 0, 1) == Batches{{1, 3}, {5, 7}, {9, 11}});
  CHECK(batchesOf(*by_node, 0, 2) == Batches{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}});
}

TEST_CASE("ranks that divide one copy of the model read what their data-parallel rank reads") {
  using Items = std::vector<SampleIndex>;
  PipelineSpec spec;
  spec.dataset.size = 8;
  spec.world = {2, 4};
  spec.world.groups.tensor = 2;
  spec.world.groups.pipeline = 2;  // data-parallel ranks 0 0 1 1 0 0 1 1
  const auto itemsOf = [&spec](std::int64_t rank) {
    const auto plan = Plan::make(spec);
    REQUIRE_MESSAGE(plan, plan.error().text());
    const auto read = *plan->rankEpoch(Epoch{0}, Rank{rank});
    Items items;
    for (std::int64_t k = 0; k < read.size(); ++k) items.push_back(read.sample(k));
    return items;
  };
  const std::map<std::string, Value> told = {{"shuffle", false},
                                             {"num_replicas", std::string("data_parallel_size")},
                                             {"rank", std::string("data_parallel_rank")}};
  const Items even = {0, 2, 4, 6};
  const Items odd = {1, 3, 5, 7};
  struct Given {
    PipelineSpec::Sampler sampler;
    Items first, second;  ///< of the two data-parallel ranks
  };
  for (const Given& given :
       {Given{{"torch.DistributedSampler", told}, even, odd},
        Given{{"torchdata.StatefulDistributedSampler", told}, even, odd},
        Given{{"megatron.MegatronPretrainingSampler", {}}, {0, 1, 4, 5}, {2, 3, 6, 7}},
        Given{{"megatron.MegatronFullValidationSampler", {}}, even, odd},
        Given{{"megatron_bridge.MegatronPretrainingBatchSampler", {{"shuffle", false}}}, even, odd}}) {
    spec.sampler = given.sampler;
    INFO(spec.sampler.type);
    for (const std::int64_t rank : {0, 1, 4, 5}) CHECK(itemsOf(rank) == given.first);
    for (const std::int64_t rank : {2, 3, 6, 7}) CHECK(itemsOf(rank) == given.second);
  }
  spec.sampler = {"megatron.MegatronPretrainingRandomSampler", {}};
  for (const bool sharding : {true, false}) {
    spec.sampler.parameters["data_sharding"] = sharding;
    for (const std::int64_t rank : {1, 4, 5}) CHECK(itemsOf(rank) == itemsOf(0));
    Items both = itemsOf(0);
    for (const SampleIndex sample : itemsOf(2)) both.push_back(sample);
    std::ranges::sort(both);
    CHECK(both == Items{0, 1, 2, 3, 4, 5, 6, 7});
  }
  spec.sampler = {"torch.RandomSampler", {}};
  spec.seeds = {3, "base+data_parallel_rank"};
  CHECK(itemsOf(5) == itemsOf(0));
  CHECK(itemsOf(2) != itemsOf(0));
}

TEST_CASE("a sampler of which nobody knows what it gives to groups is refused with them") {
  PipelineSpec spec = seedExample();
  spec.world = {1, 8};
  spec.world.groups.context = 2;
  spec.sampler = {"mmengine.DefaultSampler", {}};
  const auto refused = Plan::make(spec);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::Unsupported);
  CHECK(refused.error().place.field == "world.groups");
}
