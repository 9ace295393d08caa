// SPDX-License-Identifier: Apache-2.0
// grain.IndexSampler: what a plan of it must hold to, and what it refuses.
#include "core/plan/plan.h"
#include "core/sampling/grain/index_sampler.h"

#include <doctest/doctest.h>

#include <vector>

using namespace shardlens;
using namespace shardlens::sampling;

namespace {

using Items = std::vector<std::int64_t>;

PipelineSpec specOf(std::int64_t records, std::int64_t ranks, std::map<std::string, Value> parameters) {
  PipelineSpec spec;
  spec.dataset.size = records;
  spec.world = {1, ranks};
  spec.sampler = {"grain.IndexSampler", std::move(parameters)};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, Rank rank) {
  const SamplerRule rule = grainIndexSampler();
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, rank), {});
  REQUIRE(order);
  const Slice slice = rule.slice(spec, Epoch{0}, rank, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

}  // namespace

TEST_CASE("Grain gives each rank a contiguous part, the first ones one record more") {
  CHECK(grainEvenSplit(10, 0, 3, false) == std::pair<std::int64_t, std::int64_t>{0, 4});
  CHECK(grainEvenSplit(10, 2, 3, false) == std::pair<std::int64_t, std::int64_t>{7, 10});
  CHECK(grainEvenSplit(10, 2, 3, true) == std::pair<std::int64_t, std::int64_t>{6, 9});
  CHECK(itemsOf(specOf(10, 3, {}), Rank{1}) == Items{4, 5, 6});
  CHECK(itemsOf(specOf(10, 3, {{"drop_remainder", true}}), Rank{1}) == Items{3, 4, 5});
}

TEST_CASE("Grain's workers batch by themselves") {
  PipelineSpec spec = specOf(34, 1, {});
  spec.loader.batch_size = 16;
  spec.loader.num_workers = 2;
  spec.epochs = 1;
  const auto batches = [](const PipelineSpec& of) {
    const auto plan = Plan::make(of);
    REQUIRE(plan);
    const auto drawn = plan->rankEpoch(Epoch{0}, Rank{0});
    REQUIRE(drawn);
    std::vector<Items> found;
    for (Step step{0}; step.value < drawn->batches(); ++step) {
      const auto samples = drawn->batchSamples(step);
      found.emplace_back(samples.begin(), samples.end());
    }
    CHECK(*plan->steps(Epoch{0}) == static_cast<std::int64_t>(found.size()));
    return found;
  };
  const auto two = batches(spec);  // as google/grain#953 prints them
  REQUIRE(two.size() == 4);
  CHECK(two[0] == Items{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30});
  CHECK(two[1] == Items{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31});
  CHECK(two[2] == Items{32});
  CHECK(two[3] == Items{33});
  spec.loader.drop_last = true;
  CHECK(batches(spec).size() == 2);
  spec.loader.num_workers = 0;
  CHECK(batches(spec).back().back() == 31);
}

TEST_CASE("Grain fills up short ranks from their next pass") {
  // Two passes over ten records are twenty items, seven of them for rank 1, whose part has three.
  CHECK(itemsOf(specOf(10, 3, {{"num_epochs", std::int64_t{2}}}), Rank{1}) == Items{4, 5, 6, 4, 5, 6, 4});
}

TEST_CASE("Grain's exceptions") {
  const auto raisedBy = [](const GrainArguments& arguments, std::int64_t shard) {
    const auto checked = arguments.check(shard);
    return checked ? std::string() : checked.error().raised + ": " + checked.error().message;
  };
  CHECK(raisedBy({0, 1, false, false, 1, 0}, 0) ==
        "ValueError: Invalid number of records in Sampler. Got 0 records, but number of records must be greater than "
        "0.");
  CHECK(raisedBy({5, 1, false, false, 0, 0}, 0) ==
        "ValueError: Invalid number of epochs in Index Sampler.Got 0 epochs, but number of epochs must be greater "
        "than 0.");
  CHECK(raisedBy({5, 1, false, true, 1, {}}, 0) == "ValueError: Shuffling requires specifying a seed.");
  CHECK(raisedBy({5, 1, false, true, 1, -1}, 0) == "ValueError: Seed should be positive 32-bit integer.");
  CHECK(raisedBy({5, 1, false, true, 1, std::int64_t{1} << 32}, 0) ==
        "ValueError: Seed should be positive 32-bit integer.");
  CHECK(raisedBy({5, 2, false, false, 1, 0}, 2) ==
        "ValueError: Shard shard_index must be in [0, shard_count - 1], shard_count was 2 and shard_index was 2.");
  // Two passes give rank 1 an item to read from a part that has none; one pass does not.
  CHECK(raisedBy({1, 2, false, false, 2, 1}, 1) == "ZeroDivisionError: integer division or modulo by zero");
  CHECK(raisedBy({1, 2, false, false, 1, 1}, 1).empty());
  CHECK(raisedBy({1, 2, true, false, 2, 1}, 1).empty());
}

TEST_CASE("a Grain sampler without an end is no plan") {
  const auto checked = grainIndexSampler().check(specOf(10, 2, {{"num_epochs", std::string("none")}}));
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == ErrorCode::Unsupported);
}
