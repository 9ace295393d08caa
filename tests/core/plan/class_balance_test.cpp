// SPDX-License-Identifier: Apache-2.0
// Samplers that balance classes by NumPy's global stream, and fairseq's batches: counts, corners and exceptions.
#include "core/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace shardlens;

namespace {

using Items = std::vector<std::int64_t>;

PipelineSpec labelled(const char* type, std::map<std::string, Value> parameters) {
  PipelineSpec spec;
  spec.dataset.labels = {0, 0, 0, 1, 1, 2, 2, 2, 2, 2};
  spec.dataset.size = 10;
  spec.world = {1, 1};
  spec.epochs = 3;
  spec.sampler = {type, std::move(parameters)};
  return spec;
}

Items itemsOf(const PipelineSpec& spec, Epoch epoch, Rank rank = {}) {
  auto plan = Plan::make(spec, rank);
  REQUIRE(plan);
  const auto rank_epoch = plan->rankEpoch(epoch, rank);
  REQUIRE(rank_epoch);
  Items items;
  for (std::int64_t k = 0; k < rank_epoch->size(); ++k) items.push_back(rank_epoch->sample(k));
  return items;
}

std::string raisedBy(const PipelineSpec& spec) {
  const auto plan = Plan::make(spec);
  return plan ? std::string() : plan.error().raised + ": " + plan.error().message;
}

std::map<std::int64_t, int> perClass(const PipelineSpec& spec, const Items& items) {
  std::map<std::int64_t, int> counts;
  for (const std::int64_t item : items) ++counts[spec.dataset.labels[static_cast<std::size_t>(item)]];
  return counts;
}

}  // namespace

TEST_CASE("BalanceClassSampler draws as many of each class, and goes on in NumPy's stream") {
  const char* type = "catalyst.BalanceClassSampler";
  const PipelineSpec down = labelled(type, {{"mode", std::string("downsampling")}});
  CHECK(itemsOf(down, Epoch{0}) == Items{1, 4, 9, 2, 3, 7});
  CHECK(itemsOf(down, Epoch{1}) != itemsOf(down, Epoch{0}));
  const PipelineSpec seven = labelled(type, {{"mode", std::int64_t{7}}});
  CHECK(perClass(seven, itemsOf(seven, Epoch{2})) == std::map<std::int64_t, int>{{0, 7}, {1, 7}, {2, 7}});
  CHECK(itemsOf(labelled(type, {{"mode", std::int64_t{0}}}), Epoch{0}).empty());
  CHECK(raisedBy(labelled(type, {{"mode", std::int64_t{-1}}})) == "ValueError: negative dimensions are not allowed");
  PipelineSpec empty = down;
  empty.dataset = {};
  empty.dataset.size = 0;
  CHECK(raisedBy(empty) == "ValueError: min() iterable argument is empty");
  PipelineSpec seed = down;
  seed.seeds.base = -1;
  CHECK(raisedBy(seed) == "ValueError: Seed must be between 0 and 2**32 - 1");
}

TEST_CASE("MPerClassSampler yields m of one class behind each other, and may outgrow its length") {
  const char* type = "pytorch_metric_learning.MPerClassSampler";
  const PipelineSpec spec = labelled(type, {{"m", std::int64_t{2}}, {"length_before_new_iter", std::int64_t{13}}});
  const Items items = itemsOf(spec, Epoch{1});
  REQUIRE(items.size() == 12);  // two passes over three classes
  for (std::size_t i = 0; i < items.size(); i += 2) {
    CHECK(spec.dataset.labels[static_cast<std::size_t>(items[i])] ==
          spec.dataset.labels[static_cast<std::size_t>(items[i + 1])]);
  }
  CHECK(
      itemsOf(labelled(type, {{"m", std::int64_t{2}}, {"length_before_new_iter", std::int64_t{5}}}), Epoch{0}).size() ==
      6);
}

TEST_CASE("MPerClassSampler's exceptions") {
  const auto raised = [](std::int64_t m, std::int64_t batch_size, std::int64_t length) {
    return raisedBy(labelled("pytorch_metric_learning.MPerClassSampler",
                             {{"m", m}, {"batch_size", batch_size}, {"length_before_new_iter", length}}));
  };
  CHECK(raised(2, 4, 3) == "AssertionError: ");
  CHECK(raised(2, 8, 100) == "AssertionError: m * (number of unique labels) must be >= batch_size");
  CHECK(raised(2, 5, 100) == "AssertionError: m_per_class must divide batch_size without any remainder");
  CHECK(raised(2, 0, 100) == "ZeroDivisionError: integer modulo by zero");
  CHECK(raised(2, 6, 100).empty());
}

TEST_CASE("catalyst's DistributedSamplerWrapper fails where a rank gets one item or none") {
  PipelineSpec spec;
  spec.world = {1, 2};
  spec.sampler = {"catalyst.DistributedSamplerWrapper", {{"inner", std::string("sequential")}}};
  spec.dataset.size = 2;
  CHECK(raisedBy(spec) == "TypeError: 'int' object is not iterable");
  spec.dataset.size = 0;
  CHECK(raisedBy(spec) == "TypeError: itemgetter expected 1 argument, got 0");
  spec.dataset.size = 3;
  CHECK(raisedBy(spec).empty());
}

TEST_CASE("fairseq keeps its batches and fills up with empty ones") {
  PipelineSpec spec;
  spec.dataset.size = 8;
  spec.world = {1, 2};
  spec.loader.batch_size = 3;
  spec.sampler = {"fairseq.EpochBatchIterator", {{"shuffle", false}}};
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto last = plan->rankEpoch(Epoch{0}, Rank{1});
  REQUIRE(last);
  REQUIRE(last->batches() == 2);
  CHECK(last->batchSamples(Step{0}) == Items{3, 4, 5});
  CHECK(last->batchSamples(Step{1}).empty());
  CHECK(itemsOf(spec, Epoch{0}, Rank{0}) == Items{0, 1, 2, 6, 7});
  spec.sampler.parameters = {{"grouped_shuffling", true}};  // three batches: one group of two, the third is dropped
  CHECK(itemsOf(spec, Epoch{0}, Rank{0}) == Items{0, 1, 2});
  spec.sampler.parameters = {{"seed", std::int64_t{-2}}};
  CHECK(raisedBy(spec) == "ValueError: Seed must be between 0 and 2**32 - 1");
}

TEST_CASE("fairseq's seed and rank stand for each other where ranks shuffle alone") {
  PipelineSpec spec;
  spec.dataset.size = 60;
  spec.world = {1, 2};
  spec.loader.batch_size = 1;
  spec.sampler = {"fairseq.EpochBatchIterator",
                  {{"fix_batches_to_gpus", true}, {"supports_prefetch", true}, {"seed", std::int64_t{5}}}};
  const Items second = itemsOf(spec, Epoch{0}, Rank{1});
  spec.sampler.parameters["seed"] = std::int64_t{6};
  const Items first = itemsOf(spec, Epoch{0}, Rank{0});
  REQUIRE(first.size() == second.size());
  CHECK(std::ranges::equal(first, second, {}, [](std::int64_t id) { return id + 1; }));
}
