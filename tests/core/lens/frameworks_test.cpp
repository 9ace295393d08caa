// SPDX-License-Identifier: Apache-2.0
// What each framework makes of one and the same design.
#include "core/lens/lens.h"
#include "core/lens/report.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace shardlens;

namespace {

using Batches = std::vector<std::vector<SampleIndex>>;

PipelineSpec written(const std::string& type, std::int64_t size = 10) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.sampler = {type, {}};
  return spec;
}

LensColumn columnOf(const PipelineSpec& spec, const std::string& id) {
  const std::vector<LensColumn> columns = lensColumns(spec);
  const auto found = std::ranges::find(columns, id, &LensColumn::id);
  REQUIRE(found != columns.end());
  return *found;
}

bool hasColumn(const PipelineSpec& spec, const std::string& id) {
  return std::ranges::any_of(lensColumns(spec), [&](const LensColumn& column) { return column.id == id; });
}

EpochPlan epochOf(const PipelineSpec& spec, std::int64_t epoch = 0) {
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  auto dealt = plan->epoch(Epoch{epoch});
  REQUIRE(dealt);
  return *std::move(dealt);
}

Batches batchesOf(const LensColumn& column, std::int64_t rank, std::int64_t epoch = 0) {
  REQUIRE(column.spec);
  const EpochPlan dealt = epochOf(*column.spec, epoch);
  const RankEpoch& items = dealt.ranks[static_cast<std::size_t>(rank)];
  Batches batches;
  for (Step step{0}; step.value < items.batches(); ++step) batches.push_back(items.batchSamples(step));
  return batches;
}

SampleComparison compared(const PipelineSpec& first, const LensColumn& column, std::int64_t epoch = 0) {
  REQUIRE(column.spec);
  const auto a = SampleContent::of(epochOf(first, epoch));
  const auto b = SampleContent::of(epochOf(*column.spec, epoch));
  REQUIRE((a && b));
  return compareSamples(*a, *b, 0);
}

/// What the column's plan, or its sampler, raises.
std::string raisedBy(const LensColumn& column) {
  if (column.error) return column.error->raised;
  const auto plan = Plan::make(*column.spec);
  return plan ? "" : plan.error().raised;
}

bool warns(const LensColumn& column, const std::string& words) {
  return std::ranges::any_of(column.notes,
                             [&](const Note& note) { return note.text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("Lightning and Ignite keep a DistributedSampler of the script, and whatever class inherits from it") {
  std::size_t kept = 0;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    if (!rule.traits.isDistributed()) continue;
    CAPTURE(rule.info.type);
    const PipelineSpec spec = written(rule.info.type, 100);
    for (const char* id : {"lightning", "fabric", "ignite"}) {
      CAPTURE(id);
      const LensColumn column = columnOf(spec, id);
      CHECK(column.error == std::nullopt);
      REQUIRE(column.spec);
      CHECK(column.spec->sampler.type == rule.info.type);
    }
    ++kept;
  }
  CHECK(kept >= 11);
}

TEST_CASE("Accelerate deals whole batches in turn and fills the end up from the first ones") {
  PipelineSpec spec = written("torch.SequentialSampler");
  const LensColumn column = columnOf(spec, "accelerate");
  CHECK(batchesOf(column, 0) == Batches{{0, 1}, {4, 5}, {8, 9}});
  CHECK(batchesOf(column, 1) == Batches{{2, 3}, {6, 7}, {0, 1}});
  spec.loader.drop_last = true;
  CHECK(batchesOf(columnOf(spec, "accelerate"), 1) == Batches{{2, 3}, {6, 7}});
}

TEST_CASE("Accelerate divides a DistributedSampler's share once more, and says what to do") {
  const PipelineSpec spec = written("torch.DistributedSampler", 16);
  const LensColumn column = columnOf(spec, "accelerate");
  REQUIRE(column.spec);
  CHECK(column.notes.front().severity == Severity::Error);
  CHECK(compared(spec, column).only_first == 8);  // of 16
  const LensColumn remedy = columnOf(spec, "accelerate-shuffle");
  CHECK(remedy.remedy_of == "accelerate");
  CHECK(compared(spec, remedy).same_samples);
}

TEST_CASE("Accelerate keeps a sampler of the script, and the loader of a single process") {
  PipelineSpec spec = written("python.list");
  spec.sampler.parameters = {{"indices", IndexList{9, 3, 5, 1, 0, 7, 2}}};
  CHECK(batchesOf(columnOf(spec, "accelerate"), 1) == Batches{{5, 1}, {2, 9}});
  spec.world = {1, 1};
  CHECK(columnOf(spec, "accelerate").spec == spec);
  CHECK_FALSE(hasColumn(spec, "accelerate-shuffle"));
}

TEST_CASE("Accelerate sends the generator of rank 0; how it divides orders that ranks seed apart stays open") {
  PipelineSpec spec = written("torch.RandomSampler");
  spec.seeds.base = 5;
  spec.sampler.parameters = {{"generator", std::string("sampler")}, {"generator_seed", std::string("base+rank")}};
  CHECK(columnOf(spec, "as-written").sampler == "RandomSampler(generator=sampler, generator_seed=5 + rank)");
  CHECK(columnOf(spec, "accelerate").spec->sampler.parameters.at("generator_seed") == Value(std::int64_t{5}));
  CHECK_FALSE(columnOf(spec, "ignite").spec);
  spec.sampler = {"torch.DistributedSampler", {{"seed", std::string("base+rank")}}};
  CHECK_FALSE(columnOf(spec, "accelerate").spec);
}

TEST_CASE("Accelerate gives a two-stream sampler's batches to the ranks in turn, which Lightning refuses") {
  PipelineSpec spec = written("meanteacher.TwoStreamBatchSampler");
  spec.sampler.parameters = {{"primary_indices", IndexList{0, 1, 2, 3}}, {"secondary_indices", IndexList{6, 7}}};
  CHECK(columnOf(spec, "lightning").error);
  const LensColumn alike = columnOf(spec, "accelerate");
  const Batches all = batchesOf(columnOf(spec, "as-written"), 0);
  CHECK(batchesOf(alike, 0) == Batches{all[0], all[2]});
  CHECK(batchesOf(alike, 1) == Batches{all[1], all[3]});
  CHECK_FALSE(warns(alike, "draw different random numbers"));
  spec.seeds.rule = "base+rank";
  CHECK(warns(columnOf(spec, "accelerate"), "draw different random numbers"));
  spec.seeds.rule = "base+local_rank";
  CHECK(warns(columnOf(spec, "accelerate"), "draw different random numbers"));
  spec.world = {2, 1};  // whose ranks have one local rank, and so one seed
  CHECK_FALSE(warns(columnOf(spec, "accelerate"), "draw different random numbers"));
}

TEST_CASE("Accelerate reads a stream on rank 0 alone, or nobody can tell") {
  PipelineSpec spec = written("torch.IterableDataset");
  CHECK(batchesOf(columnOf(spec, "accelerate"), 1) == Batches{{2, 3}, {6, 7}, {9}});
  spec.sampler.parameters = {{"world_split", std::string("stride")}};
  const LensColumn open = columnOf(spec, "accelerate");
  REQUIRE(open.error);
  CHECK(open.error->code == ErrorCode::Unsupported);
}

TEST_CASE("the Trainer of Transformers shuffles what was written in order, by seed + epoch, on all ranks alike") {
  PipelineSpec spec = written("torch.SequentialSampler", 8);
  spec.seeds = {3, "base+rank"};
  const LensColumn column = columnOf(spec, "transformers");
  CHECK(warns(column, "even a sequential sampler"));
  // SeedableRandomSampler permutes by seed + epoch, as DistributedSampler does: every step has the same samples.
  PipelineSpec distributed = written("torch.DistributedSampler", 8);
  distributed.sampler.parameters = {{"seed", std::int64_t{3}}};
  for (const std::int64_t epoch : {0, 1}) {
    CHECK(compared(distributed, column, epoch).same_steps);
  }
  spec.dataset.size = 0;
  CHECK(columnOf(spec, "transformers").error);
}

TEST_CASE("the Trainer of Transformers leaves a stream to rank 0, and groups by length when it is asked to") {
  CHECK(batchesOf(columnOf(written("torch.IterableDataset"), "transformers"), 1) == Batches{{2, 3}, {6, 7}, {9}});
  PipelineSpec grouped = written("transformers.LengthGroupedSampler", 4);
  grouped.dataset.lengths = {4, 1, 3, 2};
  const LensColumn column = columnOf(grouped, "transformers");
  REQUIRE(column.error);
  CHECK(column.error->code == ErrorCode::Unsupported);
  // Made by the script, with a generator, and prepared: the batches in turn.
  const Batches all = batchesOf(columnOf(grouped, "as-written"), 0);
  CHECK(batchesOf(columnOf(grouped, "accelerate"), 1) == Batches{all[1]});
}

TEST_CASE("torchdata keeps every sampler but the one that shuffle=True makes") {
  const PipelineSpec distributed = written("torch.DistributedSampler");
  CHECK(columnOf(distributed, "torchdata").spec == distributed);
  PipelineSpec shuffled = written("torch.RandomSampler");
  const LensColumn own = columnOf(shuffled, "torchdata");
  CHECK(own.spec->sampler.type == "torchdata.RandomSampler");
  CHECK(batchesOf(own, 0) == batchesOf(own, 1));
  CHECK(batchesOf(own, 0, 1) != batchesOf(columnOf(shuffled, "as-written"), 0, 1));
  shuffled.seeds.base = 3;
  shuffled.loader.batch_size = 10;
  // torch.manual_seed(3), a seed drawn for the generator, and that generator's first two permutations.
  CHECK(batchesOf(columnOf(shuffled, "torchdata"), 0, 0) == Batches{{7, 0, 9, 1, 6, 4, 5, 3, 2, 8}});
  CHECK(batchesOf(columnOf(shuffled, "torchdata"), 0, 1) == Batches{{9, 5, 6, 8, 7, 1, 3, 2, 0, 4}});
  shuffled.seeds.rule = "base+rank";
  CHECK(batchesOf(columnOf(shuffled, "torchdata"), 0) != batchesOf(columnOf(shuffled, "torchdata"), 1));
  shuffled.sampler.parameters = {{"replacement", true}};
  CHECK(columnOf(shuffled, "torchdata").spec == shuffled);
  shuffled.sampler.parameters = {{"generator", std::string("loader")}};
  CHECK(columnOf(shuffled, "torchdata").error);
}

TEST_CASE(
    "detectron2's stream never ends: an epoch is its next whole batches, and goes on where the last one stopped") {
  PipelineSpec spec = written("torch.RandomSampler", 7);
  const LensColumn column = columnOf(spec, "detectron2");
  std::vector<SampleIndex> stream;
  for (const std::int64_t epoch : {0, 1}) {
    const Batches first = batchesOf(column, 0, epoch);
    const Batches second = batchesOf(column, 1, epoch);
    REQUIRE(first.size() == 2);
    for (std::size_t step = 0; step < 2; ++step) {
      REQUIRE(first[step].size() == 2);
      for (std::size_t k = 0; k < 2; ++k) stream.insert(stream.end(), {first[step][k], second[step][k]});
    }
  }
  // Two laps of seven: each has every sample once.
  for (const std::ptrdiff_t lap : {0, 7}) {
    std::vector<SampleIndex> ids(stream.begin() + lap, stream.begin() + lap + 7);
    std::ranges::sort(ids);
    CHECK(ids == std::vector<SampleIndex>{0, 1, 2, 3, 4, 5, 6});
  }
  spec.dataset.size = 0;
  CHECK(raisedBy(columnOf(spec, "detectron2")) == "ValueError");
  CHECK(batchesOf(columnOf(written("torch.SequentialSampler", 5), "detectron2"), 0) == Batches{{0, 1}, {2}});
}

TEST_CASE("Grain gives each rank a part of its own, in the same order on every pass") {
  PipelineSpec spec = written("torch.RandomSampler");
  spec.loader.num_workers = 4;
  const LensColumn column = columnOf(spec, "grain");
  for (const auto& batch : batchesOf(column, 1)) CHECK(std::ranges::all_of(batch, [](auto id) { return id >= 5; }));
  CHECK(batchesOf(column, 0, 0) == batchesOf(column, 0, 1));
  CHECK(warns(column, "worker_count"));
  spec.seeds.base = -1;
  CHECK(raisedBy(columnOf(spec, "grain")) == "ValueError");
}

TEST_CASE("fairseq deals fixed batches, empty ones to the ranks that come short") {
  const LensColumn column = columnOf(written("torch.SequentialSampler"), "fairseq");
  CHECK(batchesOf(column, 0) == Batches{{0, 1}, {4, 5}, {8, 9}});
  CHECK(batchesOf(column, 1) == Batches{{2, 3}, {6, 7}, {}});
}

TEST_CASE("WebDataset refuses several ranks until somebody splits the tar files") {
  PipelineSpec spec = written("torch.SequentialSampler");
  CHECK(columnOf(spec, "webdataset").error->code == ErrorCode::Unsupported);
  spec.dataset.shards = {4, 2, 4};
  const LensColumn refused = columnOf(spec, "webdataset");
  CHECK(raisedBy(refused) == "ValueError");
  CHECK(refused.when == "when the first sample is read");
  const LensColumn split = columnOf(spec, "webdataset-split");
  CHECK(split.remedy_of == "webdataset");
  CHECK(batchesOf(split, 0) == Batches{{0, 1}, {2, 3}, {6, 7}, {8, 9}});
  CHECK(batchesOf(split, 1) == Batches{{4, 5}});
  spec.dataset.shards = {10};
  CHECK(raisedBy(columnOf(spec, "webdataset-split")) == "ValueError");  // the second rank has no tar file
}

TEST_CASE("datasets gives each rank one part of a dataset shuffled once, uneven ones too") {
  const PipelineSpec spec = written("torch.SequentialSampler", 9);
  CHECK(batchesOf(columnOf(spec, "datasets"), 0) == Batches{{0, 1}, {2, 3}, {4}});
  CHECK(batchesOf(columnOf(spec, "datasets"), 1) == Batches{{5, 6}, {7, 8}});
  CHECK_FALSE(hasColumn(spec, "datasets-streaming"));
  const LensColumn shuffled = columnOf(written("torch.RandomSampler", 9), "datasets");
  CHECK(batchesOf(shuffled, 0, 0) == batchesOf(shuffled, 0, 1));
  CHECK(warns(shuffled, "every epoch has the same order"));
  PipelineSpec few = written("torch.SequentialSampler", 2);
  few.world = {1, 3};
  CHECK(raisedBy(columnOf(few, "datasets")) == "IndexError");
}

TEST_CASE("datasets streams files of its own to each rank, or all of them where the world size does not divide them") {
  PipelineSpec spec = written("torch.SequentialSampler");
  spec.dataset.shards = {3, 2, 3, 2};
  const LensColumn own = columnOf(spec, "datasets-streaming");
  CHECK(batchesOf(own, 0) == Batches{{0, 1}, {2, 5}, {6, 7}});
  CHECK(own.makes.find("streams its own files") != std::string::npos);
  spec.dataset.shards = {3, 3, 4};
  const LensColumn all = columnOf(spec, "datasets-streaming");
  CHECK(batchesOf(all, 1) == Batches{{1, 3}, {5, 7}, {9}});
  CHECK(all.makes.find("keeps one sample of 2") != std::string::npos);
  // shuffle() counts its ten sources, of which four files fill but one.
  spec.sampler.type = "torch.RandomSampler";
  spec.dataset.shards = {3, 2, 3, 2};
  CHECK(columnOf(spec, "datasets-streaming").makes.find("keeps one sample of 2") != std::string::npos);
}

TEST_CASE("Streaming deals every sample of the shards, in the same order whatever the ranks are seeded with") {
  PipelineSpec spec = written("torch.RandomSampler");
  CHECK(warns(columnOf(spec, "streaming"), "dataset.shards"));
  spec.dataset.shards = {4, 2, 4};
  const LensColumn column = columnOf(spec, "streaming");
  CHECK_FALSE(warns(column, "dataset.shards"));
  CHECK(compared(spec, column).only_first == 0);
  CHECK(batchesOf(column, 0) != batchesOf(column, 1));
  CHECK(batchesOf(column, 0, 0) != batchesOf(column, 0, 1));
  spec.seeds = {9, "base+rank"};
  CHECK(batchesOf(columnOf(spec, "streaming"), 0) == batchesOf(column, 0));
  PipelineSpec in_order = written("torch.SequentialSampler");
  in_order.dataset.shards = {4, 2, 4};
  const LensColumn plain = columnOf(in_order, "streaming");
  CHECK(batchesOf(plain, 0, 0) == batchesOf(plain, 0, 1));
  PipelineSpec own = written("streaming.StreamingDataset");
  CHECK(columnOf(own, "streaming").spec == own);
}

TEST_CASE("a sampler written for a framework stays as it is there") {
  PipelineSpec spec = written("mmengine.DefaultSampler");
  spec.sampler.parameters = {{"seed", std::int64_t{77}}};
  CHECK(columnOf(spec, "mmengine").spec == spec);
  CHECK(columnOf(spec, "fairseq").spec != spec);
}

TEST_CASE("Ignite takes the batch for that of all ranks, and wraps what is no DistributedSampler") {
  PipelineSpec spec = written("torch.WeightedRandomSampler", 12);
  spec.world = {1, 2};
  spec.loader.batch_size = 4;
  spec.sampler.parameters = {{"weights", std::string("ramp")}};
  const LensColumn wrapped = columnOf(spec, "ignite");
  REQUIRE(wrapped.spec);
  CHECK(wrapped.spec->sampler.type == "ignite.DistributedProxySampler");
  CHECK(wrapped.spec->sampler.parameters.at("weights") == Value(std::string("ramp")));
  CHECK(wrapped.spec->loader.batch_size == 2);
  CHECK(warns(wrapped, "seeds of the script have no effect"));
  CHECK(batchesOf(wrapped, 0).size() == 3);
  PipelineSpec distributed = spec;
  distributed.sampler = {"torch.DistributedSampler", {{"seed", std::int64_t{5}}}};
  CHECK(columnOf(distributed, "ignite").spec->sampler == distributed.sampler);
  PipelineSpec plain = spec;
  plain.sampler = {"torch.RandomSampler", {}};
  const LensColumn made = columnOf(plain, "ignite");
  CHECK(made.spec->sampler.type == "torch.DistributedSampler");
  CHECK(batchesOf(made, 1, 0) == batchesOf(made, 1, 1));
  plain.world = {1, 1};
  CHECK(columnOf(plain, "ignite").spec == plain);
}

TEST_CASE("Megatron-Bridge is shown before and after its ranks were brought into step") {
  PipelineSpec spec = written("torch.RandomSampler");
  spec.world = {1, 3};
  spec.loader.batch_size = 2;
  const LensColumn before = columnOf(spec, "megatron_bridge");
  const LensColumn since = columnOf(spec, "megatron_bridge-since");
  CHECK(since.remedy_of == "megatron_bridge");
  CHECK(warns(since, "Built from the description of PR 5944"));
  CHECK(batchesOf(before, 0).size() != batchesOf(before, 2).size());
  CHECK(batchesOf(since, 0).size() == batchesOf(since, 2).size());
  spec.sampler = {"megatron_bridge.MegatronPretrainingRandomSampler", {{"data_sharding", false}}};
  CHECK(columnOf(spec, "megatron_bridge").spec == spec);
  CHECK(batchesOf(columnOf(spec, "megatron_bridge-since"), 1) == batchesOf(since, 1));
  spec.sampler.parameters["release"] = std::string("since_2026-09-03");
  CHECK(batchesOf(columnOf(spec, "megatron_bridge-before"), 1) == batchesOf(before, 1));
}

TEST_CASE("DeepSpeed keeps its own sampler, and replaces any other") {
  const PipelineSpec own = written("deepspeed.DeepSpeedDataSampler");
  CHECK(columnOf(own, "deepspeed").spec == own);
  CHECK(columnOf(written("torch.RandomSampler"), "deepspeed").spec->sampler.type == "torch.DistributedSampler");
}

TEST_CASE("Accelerate divides what TRL's RepeatSampler hands to every rank alike") {
  PipelineSpec spec = written("trl.RepeatSampler", 8);
  spec.world = {1, 2};
  spec.loader.batch_size = 4;
  spec.sampler.parameters = {{"mini_repeat_count", std::int64_t{2}}, {"seed", std::int64_t{5}}};
  const LensColumn column = columnOf(spec, "accelerate");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.type == "accelerate.DataLoaderShard");
  const EpochPlan alone = epochOf(spec);
  const Batches first = batchesOf(column, 0);
  const Batches second = batchesOf(column, 1);
  REQUIRE(first.size() == 2);
  CHECK(first[0] == alone.ranks[0].batchSamples(Step{0}));
  CHECK(second[0] == alone.ranks[0].batchSamples(Step{1}));
}

TEST_CASE("Lightning takes the ranks of a node for those of every node") {
  PipelineSpec spec = written("torch.RandomSampler", 12);
  spec.world = {2, RanksPerNode({2, 1})};
  const LensColumn column = columnOf(spec, "lightning");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.parameters.at("num_replicas") == Value(std::string(kNodesTimesRanks)));
  const auto plan = Plan::make(*column.spec);  // pytorch-lightning#19898
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message == "Invalid rank 2, rank should be in the interval [0, 1]");
  CHECK(columnOf(spec, "streaming").spec);
  CHECK(Plan::make(*columnOf(spec, "streaming").spec).error().code == ErrorCode::Unsupported);
  PipelineSpec weighted = written("torch.WeightedRandomSampler", 12);
  weighted.world = spec.world;
  CHECK(columnOf(weighted, "lightning").error->code == ErrorCode::Unsupported);
  CHECK(Plan::make(*columnOf(spec, "accelerate").spec));
}
