// SPDX-License-Identifier: Apache-2.0
// The life of a sample and the difference of two orders, against the plain way of looking at every batch.
#include "core/plan/diff.h"
#include "core/plan/find_sample.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

/// Where a dropped item is in its short batch, and whose that is: worker after worker lists its own, if they cut them.
std::pair<std::int64_t, std::int64_t> placeBehindBatches(const RankEpoch& rank, std::int64_t k) {
  const auto& deal = rank.slice().order()->deal();
  std::int64_t item = k - rank.handedOut();
  for (std::size_t i = 0; deal != nullptr && i < deal->droppedOf(rank.rank()).size(); ++i) {
    const Deal::DroppedBatch& batch = deal->droppedOf(rank.rank())[i];
    if (item < batch.count) return {item, batch.worker};
    item -= batch.count;
  }
  return {item, -1};
}

std::vector<Sighting> plainFind(const Plan& plan, Epoch epoch, SampleIndex sample) {
  std::vector<Sighting> found;
  const auto drawn = plan.epoch(epoch);
  REQUIRE(drawn);
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) {
    const RankEpoch* const got = &drawn->ranks[static_cast<std::size_t>(rank.value)];
    Step step{0};
    for (std::int64_t k = 0; k < got->size(); ++k) {
      while (step.value < got->batches() && got->batch(step).last <= k) ++step;
      if (got->sample(k) != sample) continue;
      if (step.value < got->batches()) {
        found.push_back({rank, step, k - got->batch(step).first, got->worker(step), got->isPadding(k)});
        continue;
      }
      const auto [item, worker] = placeBehindBatches(*got, k);
      found.push_back({rank, std::nullopt, item, worker, got->isPadding(k)});
    }
  }
  return found;
}

std::int64_t batchesOf(const Plan& plan, Epoch epoch) {
  std::int64_t batches = 0;
  for (Rank rank{0}; rank.value < plan.worldSize(); ++rank) batches += plan.shape(epoch, rank)->batches;
  return batches;
}

Plan planOf(PipelineSpec spec) {
  auto plan = Plan::make(std::move(spec));
  REQUIRE(plan);
  return *std::move(plan);
}

}  // namespace

TEST_CASE("finding a sample sees what looking at every item sees") {
  test::SmallSpecs specs(20261121);
  std::size_t seen = 0;
  for (int i = 0; i < 150; ++i) {
    const Plan plan = specs.next();
    if (plan.spec().dataset.size == 0) continue;
    const Epoch epoch{specs.below(plan.epochs())};
    const SampleIndex sample = specs.below(plan.spec().dataset.size);
    CAPTURE(test::describe(plan.spec()));
    CAPTURE(sample);
    const auto found = findSample(plan, epoch, sample);
    REQUIRE(found);
    CHECK((*found == plainFind(plan, epoch, sample)));
    seen += found->size();
    const auto all = findSample(plan, Epoch{0}, plan.epochs(), sample);
    REQUIRE(all);
    REQUIRE(all->size() == static_cast<std::size_t>(plan.epochs()));
    CHECK(((*all)[static_cast<std::size_t>(epoch.value)] == *found));
  }
  CHECK(seen > 100);
}

TEST_CASE("a sample is followed through large epochs without their orders, and not after a stop") {
  PipelineSpec spec;
  spec.dataset.size = 200'000;
  spec.world.ranks_per_node = 7;
  spec.epochs = 5;
  for (const char* sampler : {"torch.DistributedSampler", "torch.RandomSampler"}) {
    spec.sampler = {sampler, {}};
    spec.seeds.rule = "base+rank";
    CAPTURE(sampler);
    const Plan plan = planOf(spec);
    const auto found = findSample(plan, Epoch{0}, plan.epochs(), 123'456);
    REQUIRE(found);
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      CHECK(((*found)[static_cast<std::size_t>(epoch.value)] == plainFind(plan, epoch, 123'456)));
    }
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = findSample(plan, Epoch{0}, plan.epochs(), 123'456, Work{stop.get_token(), {}});
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::Cancelled);
  }
}

TEST_CASE("a plan does not differ from itself; every batch of another world does or is there") {
  test::SmallSpecs specs(7);
  for (int i = 0; i < 40; ++i) {
    const Plan plan = specs.next();
    CAPTURE(test::describe(plan.spec()));
    const auto same = PlanDiff(plan, plan).epoch(Epoch{0});
    REQUIRE(same);
    CHECK(same->differing == 0);
    CHECK_FALSE(same->first);
    CHECK(same->batches == batchesOf(plan, Epoch{0}));
  }
}

TEST_CASE("the first difference is the earliest step, and what only one plan has differs") {
  PipelineSpec before;
  before.sampler = {"torch.SequentialSampler", {}};
  PipelineSpec after = before;
  after.dataset.size = 17;
  after.world.ranks_per_node = 3;
  const auto diff = PlanDiff(planOf(before), planOf(after)).epoch(Epoch{0});
  REQUIRE(diff);
  CHECK(diff->batches == 3 * 9);
  CHECK(diff->differing == 2 + 9);  // batch 8 of two ranks, and all of the third
  REQUIRE(diff->first);
  CHECK(diff->first->step.value == 0);
  CHECK(diff->first->rank.value == 2);
  CHECK_FALSE(diff->first->before);
  CHECK((diff->first->after == std::vector<SampleIndex>{0, 1}));
  const auto fields = changedFields(before, after);
  REQUIRE(fields.size() == 2);
  CHECK(fields[0].path == "dataset.size");
  CHECK(fields[1].after == "3");
}

TEST_CASE("another sampler's own fields are shown as appearing and vanishing") {
  PipelineSpec before;
  PipelineSpec after;
  after.sampler = {"torch.SubsetRandomSampler", {{"indices", IndexList{3, 1}}}};
  bool vanished = false;
  bool appeared = false;
  for (const FieldChange& change : changedFields(before, after)) {
    vanished = vanished || (change.path == "sampler.set_epoch" && change.before == "true" && change.after.empty());
    appeared = appeared || (change.path == "sampler.indices" && change.before.empty() && change.after == "[3, 1]");
  }
  CHECK(vanished);
  CHECK(appeared);
}

TEST_CASE("a sample that a worker drops is in that worker's own short batch") {
  PipelineSpec spec;
  spec.dataset.size = 46;
  spec.world = {1, 1};
  spec.loader.batch_size = 8;
  spec.loader.num_workers = 3;
  spec.loader.drop_last = true;
  spec.sampler = {"torch.IterableDataset", {{"worker_split", std::string("stride")}}};
  const Plan plan = planOf(spec);
  const auto found =
      findSample(plan, Epoch{0}, 43);  // 1, 4, 7, ... 43: fifteen for worker 1, of which eight are a batch
  REQUIRE(found);
  CHECK((*found == std::vector<Sighting>{{Rank{0}, std::nullopt, 6, 1, false}}));
  CHECK((*findSample(plan, Epoch{0}, 45) == std::vector<Sighting>{{Rank{0}, Step{3}, 7, 0, false}}));
}
