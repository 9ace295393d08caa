// SPDX-License-Identifier: Apache-2.0
#include "core/lens/lens.h"

#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/spec/validate.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace shardlens;

namespace {

PipelineSpec written(const std::string& type) {
  PipelineSpec spec;
  spec.sampler = {type, {}};
  return spec;
}

LensColumn columnOf(const PipelineSpec& spec, const std::string& id) {
  const std::vector<LensColumn> columns = lensColumns(spec);
  const auto found = std::ranges::find(columns, id, &LensColumn::id);
  REQUIRE(found != columns.end());
  return *found;
}

}  // namespace

TEST_CASE("the first column of the lens is the spec as written") {
  const PipelineSpec spec = written("torch.RandomSampler");
  const std::vector<LensColumn> columns = lensColumns(spec);
  REQUIRE_FALSE(columns.empty());
  CHECK(columns.front().id == "as-written");
  CHECK(columns.front().sampler == "RandomSampler()");
  REQUIRE(columns.front().spec);
  CHECK(*columns.front().spec == spec);
}

TEST_CASE("every column of every sampler has a name of its own and either an order or a reason") {
  test::SmallSpecs specs(11);
  for (int i = 0; i < 300; ++i) {
    const PipelineSpec spec = specs.next().spec();
    CAPTURE(test::describe(spec));
    std::set<std::string> ids;
    for (const LensColumn& column : lensColumns(spec)) {
      CAPTURE(column.id);
      CHECK(ids.insert(column.id).second);
      CHECK(column.makes.ends_with("."));
      CHECK(column.spec.has_value() != column.error.has_value());
      if (column.error) CHECK(column.when.empty() == column.error->raised.empty());
      if (column.spec) CHECK(validate(*column.spec, sampling::catalogue()).empty());
      if (!column.remedy_of.empty()) CHECK(ids.contains(column.remedy_of));
    }
  }
}

TEST_CASE("Lightning shuffles a sequential loader in training") {
  const LensColumn column = columnOf(written("torch.SequentialSampler"), "lightning");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.type == "torch.DistributedSampler");
  CHECK(column.sampler == "DistributedSampler(seed=0, shuffle=True)");
  REQUIRE_FALSE(column.notes.empty());
  CHECK(column.notes.front().severity == Severity::Warning);
}

TEST_CASE("Lightning wraps a weighted sampler and says what is lost") {
  PipelineSpec spec = written("torch.WeightedRandomSampler");
  spec.seeds.rule = "base+rank";
  const LensColumn column = columnOf(spec, "lightning");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.type == "lightning.DistributedSamplerWrapper");
  CHECK(column.notes.front().severity == Severity::Error);  // ranks seeded apart overlap
  CHECK(columnOf(spec, "lightning-off").spec == [&] {
    PipelineSpec off = spec;
    off.framework.lightning.use_distributed_sampler = false;
    return off;
  }());
  const LensColumn own = columnOf(spec, "lightning-distributed-sampler");
  REQUIRE(own.spec);
  CHECK(own.spec->sampler.parameters.at("shuffle") == Value(false));
}

TEST_CASE("on one rank Lightning asks the strategy: ddp has the sampler replaced or wrapped") {
  PipelineSpec spec = written("torch.WeightedRandomSampler");
  spec.world = {1, 1};
  const LensColumn alone = columnOf(spec, "lightning");
  REQUIRE(alone.spec);
  CHECK(alone.spec->sampler.type == "torch.WeightedRandomSampler");
  spec.framework.lightning.strategy = "ddp";
  const LensColumn ddp = columnOf(spec, "lightning");
  REQUIRE(ddp.spec);
  CHECK(ddp.spec->sampler.type == "lightning.DistributedSamplerWrapper");
  spec.sampler = {"torch.RandomSampler", {}};
  REQUIRE(columnOf(spec, "lightning").spec);
  CHECK(columnOf(spec, "lightning").spec->sampler.type == "torch.DistributedSampler");
}

TEST_CASE("a DistributedSampler stays in Lightning and is told the epoch, and there is nothing to mend") {
  PipelineSpec spec = written("torch.DistributedSampler");
  spec.sampler.parameters = {{"set_epoch", false}, {"seed", std::int64_t{9}}};
  const LensColumn column = columnOf(spec, "lightning");
  REQUIRE(column.spec);
  CHECK(column.spec->sampler.parameters.at("set_epoch") == Value(true));
  CHECK(column.spec->sampler.parameters.at("seed") == Value(std::int64_t{9}));
  CHECK(
      std::ranges::none_of(lensColumns(spec), [](const LensColumn& other) { return other.remedy_of == "lightning"; }));
}

TEST_CASE("Lightning refuses a TwoStreamBatchSampler in training and lets every rank predict everything") {
  PipelineSpec spec = written("meanteacher.TwoStreamBatchSampler");
  spec.sampler.parameters = {{"primary_indices", IndexList{0, 1, 2, 3, 4, 5}}, {"secondary_indices", IndexList{6, 7}}};
  const LensColumn refused = columnOf(spec, "lightning");
  REQUIRE(refused.error);
  CHECK(refused.error->raised == "TypeError");
  CHECK(refused.when == "in trainer.fit(), before the first batch");
  spec.framework.lightning.stage = "predict";
  const LensColumn predicted = columnOf(spec, "lightning");
  REQUIRE(predicted.spec);
  CHECK(predicted.spec->sampler == spec.sampler);
  CHECK(predicted.notes.front().severity == Severity::Error);
  spec.world = {1, 1};
  spec.framework.lightning.stage = "train";
  CHECK(columnOf(spec, "lightning").spec.has_value());
}

TEST_CASE("columns stand family by family, and those that matter for the design come first") {
  for (const char* type : {"torch.DistributedSampler", "timm.RepeatAugSampler", "torch.IterableDataset",
                           "ssl4mis.TwoStreamBatchSampler", "megatron_bridge.MegatronPretrainingSampler"}) {
    CAPTURE(type);
    const std::vector<LensColumn> columns = lensColumns(written(type));
    CHECK(columns.front().family.empty());
    CHECK(columns[1].family == "For this design");
    std::vector<std::string> families;
    for (const LensColumn& column : columns) {
      if (families.empty() || families.back() != column.family) families.push_back(column.family);
    }
    CHECK(std::set<std::string>(families.begin(), families.end()).size() == families.size());
  }
  CHECK(lensColumns(written("timm.RepeatAugSampler"))[1].id == "timm");
  CHECK(lensColumns(written("torch.DistributedSampler"))[1].id == "lightning");
}

namespace {

bool says(const LensColumn& column, const std::string& text) {
  return column.makes.find(text) != std::string::npos ||
         std::ranges::any_of(column.notes, [&](const Note& note) { return note.text.find(text) != std::string::npos; });
}

IndexList firstOf(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> ids;
  for (std::int64_t id = begin; id < end; ++id) ids.push_back(id);
  return IndexList(ids);
}

}  // namespace

TEST_CASE("what a column says holds for this design, and not only for most") {
  PipelineSpec slice = written("torch.DistributedSampler");
  slice.sampler.parameters = {{"num_replicas", std::int64_t{1}}, {"rank", std::int64_t{0}}};
  CHECK_FALSE(says(columnOf(slice, "accelerate"), "divides again"));
  CHECK(says(columnOf(written("torch.DistributedSampler"), "accelerate"), "divides again"));

  PipelineSpec one_seed = written("torch.SubsetRandomSampler");
  one_seed.sampler.parameters = {{"indices", firstOf(0, 16)}};
  one_seed.seeds.rule = "base+local_rank";
  for (const char* id : {"lightning", "fabric"}) {
    one_seed.world = {2, 1};
    CHECK_FALSE(says(columnOf(one_seed, id), "and no rank another"));
    one_seed.world = {1, 2};
    CHECK(says(columnOf(one_seed, id), "and no rank another"));
  }

  PipelineSpec evaluation = written("torch.SequentialSampler");
  evaluation.dataset.size = 16;
  CHECK_FALSE(says(columnOf(evaluation, "timm"), "counts some twice"));
  evaluation.dataset.size = 17;
  CHECK(says(columnOf(evaluation, "timm"), "counts some twice"));

  PipelineSpec predicts = written("torch.SequentialSampler");
  predicts.framework.lightning.stage = "predict";
  predicts.loader.drop_last = true;
  CHECK_FALSE(columnOf(predicts, "lightning-distributed-sampler").spec->loader.drop_last);

  PipelineSpec overfits = written("torch.RandomSampler");
  overfits.framework.lightning.overfit_batches = 2;
  CHECK(says(columnOf(overfits, "lightning-off"), "replaces the sampler with a sequential one"));

  PipelineSpec streams = written("ssl4mis.TwoStreamBatchSampler");
  streams.sampler.parameters = {{"primary_indices", firstOf(0, 4)}, {"secondary_indices", firstOf(4, 16)}};
  CHECK_FALSE(columnOf(streams, "lightning-distributed-sampler").spec->framework.lightning.use_distributed_sampler);
}

TEST_CASE("overfit_batches limits what fit() and validate() read, and puts into order only what fit() reads") {
  PipelineSpec spec = written("torch.WeightedRandomSampler");
  spec.framework.lightning.overfit_batches = 2;
  CHECK(columnOf(spec, "lightning").first_batches == 2);
  CHECK(columnOf(spec, "lightning").spec->sampler.type == "torch.DistributedSampler");
  CHECK(columnOf(spec, "fabric").first_batches == 0);
  CHECK(std::ranges::none_of(lensColumns(spec), [](const LensColumn& column) {
    return column.id == "lightning-distributed-sampler";  // it would be replaced, too
  }));
  spec.framework.lightning.stage = "validate";
  CHECK(columnOf(spec, "lightning").first_batches == 2);
  CHECK(columnOf(spec, "lightning").spec->sampler.type == "lightning.DistributedSamplerWrapper");
  spec.framework.lightning.stage = "test";
  CHECK(columnOf(spec, "lightning").first_batches == 0);
  CHECK_FALSE(says(columnOf(spec, "lightning"), "overfit_batches"));
}

TEST_CASE("what Lightning adds is said to ignore seeds and to pad only where it does") {
  PipelineSpec keeps = written("torch.DistributedSampler");
  keeps.framework.lightning.stage = "predict";
  keeps.loader.drop_last = true;
  CHECK_FALSE(says(columnOf(keeps, "lightning"), "never pads"));
  CHECK(says(columnOf(keeps, "lightning"), "Prediction never drops the last batch"));
  CHECK_FALSE(says(columnOf(keeps, "lightning-off"), "Nothing divides the samples"));
  CHECK_FALSE(says(columnOf(written("torch.WeightedRandomSampler"), "lightning"), "every run has the same order"));
  CHECK(says(columnOf(written("torch.RandomSampler"), "lightning"), "every run has the same order"));
}

TEST_CASE("seeds, tails and workers are spoken of as the design has them") {
  PipelineSpec own = written("torch.WeightedRandomSampler");
  CHECK(says(columnOf(own, "ignite"), "seeds of the script have no effect"));
  own.sampler.parameters = {{"generator", std::string("sampler")}, {"generator_seed", std::int64_t{3}}};
  CHECK_FALSE(says(columnOf(own, "ignite"), "seeds of the script have no effect"));

  PipelineSpec in_order = written("torch.SequentialSampler");
  in_order.loader.drop_last = true;
  CHECK_FALSE(columnOf(in_order, "timm").spec->loader.drop_last);  // drop_last=is_training
  CHECK(says(columnOf(in_order, "grain"), "part of the dataset, in order"));
  in_order.loader.num_workers = 2;
  CHECK(says(columnOf(in_order, "grain"), "divided among its workers"));

  in_order.dataset.size = 17;  // 9 and 8 samples, of which the loader drops one
  CHECK_FALSE(says(columnOf(in_order, "datasets"), "wait for them in vain"));
  in_order.loader.drop_last = false;
  CHECK(says(columnOf(in_order, "datasets"), "wait for them in vain"));

  in_order.seeds.base = -1;
  const LensColumn refused = columnOf(in_order, "transformers");
  REQUIRE(refused.error);
  CHECK(refused.error->message == "Seed must be between 0 and 2**32 - 1");
  CHECK(refused.when == "when the Trainer is created");
}

TEST_CASE("of the frameworks, only Megatron's are said to know groups that divide a copy of the model") {
  PipelineSpec spec = written("torch.DistributedSampler");
  spec.world = {1, 8};
  spec.world.groups.tensor = 2;
  const auto columns = lensColumns(spec);
  CHECK(columns.front().spec == spec);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    CAPTURE(columns[i].id);
    if (columns[i].id.starts_with("megatron")) {
      REQUIRE(columns[i].spec);
      CHECK(columns[i].spec->world == spec.world);
      continue;
    }
    CHECK_FALSE(columns[i].spec);
    REQUIRE(columns[i].error);
    CHECK(columns[i].error->message.find("world.groups") != std::string::npos);
  }
}
