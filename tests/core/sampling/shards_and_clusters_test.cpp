// SPDX-License-Identifier: Apache-2.0
// Samplers that read token shards, page lists, image groups or clusters.
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

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

Result<Items> drawn(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank = 0) {
  const SamplerRule& rule = *findRule(spec.sampler.type);
  if (auto checked = rule.check(spec); !checked) return checked.error();
  const auto order = rule.order(spec, rule.key(spec, Epoch{epoch}, Rank{rank}), {});
  if (!order) return order.error();
  const Slice slice = rule.slice(spec, Epoch{epoch}, Rank{rank}, *order);
  Items items;
  for (std::int64_t k = 0; k < slice.size(); ++k) items.push_back(slice.sample(k));
  return items;
}

Items itemsOf(const PipelineSpec& spec, std::int64_t epoch, std::int64_t rank = 0) {
  const auto items = drawn(spec, epoch, rank);
  REQUIRE(items);
  return *items;
}

std::string refusal(const PipelineSpec& spec) {
  const auto items = drawn(spec, 0);
  return items ? "nothing" : items.error().raised + items.error().message;
}

Record metric(std::int64_t least, std::int64_t most) {
  Record record;
  record.set("min_difficulty", least);
  record.set("max_difficulty", most);
  record.set("total_curriculum_step", std::int64_t{4});
  return record;
}

}  // namespace

TEST_CASE("llm.c's ranks read the rows of a step side by side, and never the tail of a shard") {
  PipelineSpec spec = specOf("llmc.DataLoader", 22, 2);
  spec.dataset.shards = {13, 9};
  CHECK(itemsOf(spec, 0, 0) == Items{0, 1, 4, 5, 8, 9, 13, 14, 17, 18});
  CHECK(itemsOf(spec, 0, 1) == Items{2, 3, 6, 7, 10, 11, 15, 16, 19, 20});
  CHECK(itemsOf(spec, 1, 1) == itemsOf(spec, 0, 1));
  spec.dataset.shards = {3, 19};
  CHECK(refusal(spec) == "a shard has fewer rows than all ranks take in a step, which llm.c refuses.");
}

TEST_CASE("higher ranks of train_gpt2.py go on to the next shard before lower ones") {
  PipelineSpec spec = specOf("llmc.DataLoader", 26, 2);
  spec.dataset.shards = {13, 13};
  spec.sampler.parameters = {{"loader", std::string("python")}, {"steps_per_epoch", std::int64_t{4}}};
  CHECK(itemsOf(spec, 0, 0) == Items{0, 1, 4, 5, 8, 9, 13, 14});
  CHECK(itemsOf(spec, 0, 1) == Items{2, 3, 6, 7, 15, 16, 19, 20});
}

TEST_CASE("llm.c's ranks shuffle apart, and still read each row once") {
  PipelineSpec spec = specOf("llmc.DataLoader", 96, 2);
  spec.dataset.shards = {24, 24, 24, 24};
  spec.sampler.parameters = {{"shuffle", true}};
  Items both = itemsOf(spec, 0, 0);
  const Items other = itemsOf(spec, 0, 1);
  CHECK_FALSE(std::ranges::equal(
      both, other, {}, [](auto id) { return id / 24; }, [](auto id) { return id / 24; }));
  both.insert(both.end(), other.begin(), other.end());
  CHECK(std::set<SampleIndex>(both.begin(), both.end()).size() == 96);
}

TEST_CASE("QuasiRandom's pages are shuffled by each call, so the first one matters") {
  PipelineSpec spec = specOf("ffcv.QuasiRandom", 40, 1);
  spec.dataset.shards = {10, 10, 10, 10};
  const Items first = itemsOf(spec, 0);
  spec.sampler.parameters = {{"asked_at_start", false}};
  CHECK(itemsOf(spec, 0) != first);
  spec.sampler.parameters = {{"indices", IndexList({0, 1, 2})}};
  CHECK(itemsOf(spec, 0).size() == 3);
}

TEST_CASE("FFCV draws by another generator on one GPU than on several") {
  PipelineSpec spec = specOf("ffcv.Random", 20, 1);
  const Items distributed = itemsOf(spec, 0);
  spec.sampler.parameters = {{"distributed", false}};
  CHECK(itemsOf(spec, 0) != distributed);
}

TEST_CASE("a batch of GroupMultiSourceSampler is all tall or all wide") {
  PipelineSpec spec = specOf("mmdet.GroupMultiSourceSampler", 30, 2, 4);
  spec.dataset.shards = {10, 20};
  spec.seeds = {3, "base+rank"};
  spec.sampler.parameters = {{"samples_per_epoch", std::int64_t{200}}};
  bool apart = false;
  const Items first = itemsOf(spec, 0, 0);
  const Items second = itemsOf(spec, 0, 1);
  for (std::size_t i = 0; i < first.size(); i += 4) {
    for (std::size_t k = 1; k < 4; ++k) CHECK(first[i + k] % 2 == first[i] % 2);
    CHECK(std::count_if(first.begin() + static_cast<std::ptrdiff_t>(i),
                        first.begin() + static_cast<std::ptrdiff_t>(i + 4), [](auto id) { return id < 10; }) == 2);
    apart = apart || first[i] % 2 != second[i] % 2;
  }
  CHECK(apart);
  spec.sampler.parameters["samples_per_epoch"] = std::int64_t{100};
  CHECK(itemsOf(spec, 1, 0) == Items(first.begin() + 100, first.end()));
}

TEST_CASE("GroupMultiSourceSampler refuses what it would search for without end, and a third dataset") {
  PipelineSpec spec = specOf("mmdet.GroupMultiSourceSampler", 6, 1, 3);
  spec.dataset.shards = {2, 2, 2};
  CHECK(refusal(spec) == "IndexErrorlist index out of range");
  spec.dataset.shards = {3, 3};
  spec.sampler.parameters = {{"aspect_ratios", NumberList({2, 2, 2, 2, 0.5, 2})}};
  CHECK(refusal(spec).find("searching forever") != std::string::npos);
}

TEST_CASE("repeat factors of which none draws a sample soon are refused") {
  PipelineSpec spec = specOf("detectron2.RepeatFactorTrainingSampler", 2, 1);
  spec.sampler.parameters = {{"repeat_factors", NumberList({0, 0})}};
  CHECK(refusal(spec) == "Every factor is 0: the sampler would search forever.");
  spec.sampler.parameters = {{"repeat_factors", NumberList({0, 0.0005})}};
  CHECK(refusal(spec) == "No factor is above 0.001: the sampler would search too long.");
  spec.sampler.parameters = {{"repeat_factors", NumberList({0, 0.5})}};
  CHECK(refusal(spec) == "nothing");
}

TEST_CASE("DeepSpeed draws only samples that are easy enough, and harder ones later") {
  PipelineSpec spec = specOf("deepspeed.DeepSpeedDataSampler", 20, 2);
  spec.sampler.parameters = {{"metrics", RecordList({metric(4, 20)})}};
  const Items first = itemsOf(spec, 0, 0);
  REQUIRE(first.size() == 10);
  CHECK(std::max(first[0], first[1]) < 8);  // difficulty 8 in the first step: positions are counted from 1
  const Items last = itemsOf(spec, 0, 1);
  CHECK(*std::ranges::max_element(last) > 8);
}

TEST_CASE("DeepSpeed's epochs follow each other, and the last one has the step too many") {
  PipelineSpec spec = specOf("deepspeed.DeepSpeedDataSampler", 12, 2, 3);
  spec.sampler.parameters = {{"num_epochs", std::int64_t{2}}};
  CHECK(itemsOf(spec, 0).size() == 6);
  CHECK(itemsOf(spec, 1).size() == 9);
  CHECK(itemsOf(spec, 2).empty());
  spec.sampler.parameters["num_epochs"] = std::int64_t{3};
  CHECK(itemsOf(spec, 1).size() == 6);
}

TEST_CASE("DeepSpeed's search without end is said, and what it raises is") {
  PipelineSpec spec = specOf("deepspeed.DeepSpeedDataSampler", 3, 2, 8);
  CHECK(refusal(spec).find("keeps drawing without a step") != std::string::npos);
  spec.sampler.parameters = {{"drop_last", false}};
  CHECK(refusal(spec) == "nothing");
  Record hard = metric(1, 100);
  hard.set("difficulty_type", std::string("percentile"));
  spec.sampler.parameters["metrics"] = RecordList({hard});
  CHECK(refusal(spec) == "ValueErrora must be a positive integer unless no samples are taken");
  hard.set("schedule_type", std::string("fixed_discrete"));
  spec.sampler.parameters["metrics"] = RecordList({hard});
  CHECK(refusal(spec) == "a metric with fixed_discrete has no stage.");
}
