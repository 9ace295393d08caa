// SPDX-License-Identifier: Apache-2.0
// The right remedy for each family of samplers, and none that breaks what was whole.
#include "core/audit/audit.h"
#include "core/audit/fixes/sampler_remedies.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

using namespace shardlens;
using test::need;
using test::reportOf;

namespace {

PipelineSpec job(const std::string& type, std::int64_t size, std::int64_t ranks, std::int64_t batch) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch;
  spec.sampler.type = type;
  spec.seeds.rule = "base+rank";
  return spec;
}

void set(PipelineSpec& spec, const std::string& key, Value value) {
  spec.sampler.parameters[key] = std::move(value);
}

IndexList range(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> items;
  for (std::int64_t i = from; i < to; ++i) items.push_back(i);
  return items;
}

std::vector<Fix> fixesOf(const PipelineSpec& spec, const std::string& code) {
  return need(reportOf(spec), code).fixes;
}

/// The best fix of the finding with this code.
Fix bestFix(const PipelineSpec& spec, const std::string& code) {
  const auto fixes = fixesOf(spec, code);
  CAPTURE(code);
  REQUIRE_FALSE(fixes.empty());
  return fixes.front();
}

/// All fixes of all findings.
std::vector<Fix> allFixes(const PipelineSpec& spec) {
  std::vector<Fix> all;
  for (const Finding& finding : reportOf(spec).findings)
    all.insert(all.end(), finding.fixes.begin(), finding.fixes.end());
  return all;
}

bool edits(const Fix& fix, const std::string& path, const Value& value) {
  return std::ranges::find(fix.edits, Edit{path, value}) != fix.edits.end();
}

bool offers(const std::vector<Fix>& fixes, const std::string& path, const Value& value) {
  return std::ranges::any_of(fixes, [&](const Fix& fix) { return edits(fix, path, value); });
}

PipelineSpec fixed(const PipelineSpec& spec, const Fix& fix) {
  auto mended = applyEdits(spec, fix.edits, sampling::catalogue());
  REQUIRE(mended);
  return *std::move(mended);
}

}  // namespace

TEST_CASE("every setting and class that remedies name is one of the catalogue") {
  for (const fixes::SamplerRemedies& row : fixes::samplerRemedies()) {
    CAPTURE(row.type);
    const auto* rule = sampling::findRule(std::string(row.type));
    REQUIRE(rule != nullptr);
    const auto takes = [&](std::string_view key, std::string_view choice) {
      if (key.empty()) return true;
      const auto field = std::ranges::find(rule->info.parameters, key, [](const Field& one) { return one.key(); });
      if (field == rule->info.parameters.end()) return false;
      return choice.empty() || std::ranges::find(field->choices, choice) != field->choices.end();
    };
    for (const fixes::Setting& one : {row.splits_ranks, row.splits_workers, row.fills, row.cuts, row.renews})
      CHECK(takes(one.key, one.choice));
    CHECK(takes(row.order_seed, {}));
    if (!row.for_ranks.empty()) CHECK(sampling::findRule(std::string(row.for_ranks)) != nullptr);
  }
}

TEST_CASE("samplers that need equal seeds keep them: no fix tears their common order") {
  PipelineSpec wrapper = job("lightning.DistributedSamplerWrapper", 1000, 4, 10);
  set(wrapper, "inner", std::string("random"));
  set(wrapper, "replacement", false);
  wrapper.seeds = {7, "same"};
  const Fix apart = bestFix(wrapper, "seeds-collide-ranks");
  CHECK(edits(apart, "sampler.generator", std::string("sampler")));
  CHECK(apart.effect.missing == Change{0, 0});
  CHECK(apart.effect.repeated == Change{0, 0});

  PipelineSpec dataset = job("datasets.Dataset", 120, 4, 5);
  set(dataset, "shuffle", std::string("before_split"));
  dataset.seeds = {7, "same"};
  const Fix seeded = bestFix(dataset, "seeds-collide-ranks");
  CHECK(edits(seeded, "sampler.seed", std::int64_t{7}));
  CHECK(seeded.effect.missing == Change{0, 0});
}

TEST_CASE("a wrapper whose ranks are seeded apart gets one order again") {
  PipelineSpec spec = job("lightning.DistributedSamplerWrapper", 1000, 4, 10);
  set(spec, "inner", std::string("random"));
  set(spec, "replacement", false);
  const Fix fix = bestFix(spec, "ranks-overlap-partly");
  CHECK(fix.effect.missing.before > 0);
  CHECK(fix.effect.missing.after == 0);
  CHECK(fix.effect.repeated.after == 0);
}

TEST_CASE("ranks that share one drawn order are never only seeded apart") {
  for (const char* type : {"lightning.DistributedSamplerWrapper", "catalyst.DistributedSamplerWrapper"}) {
    CAPTURE(type);
    PipelineSpec spec = job(type, 1000, 4, 10);
    set(spec, "inner", std::string("random"));
    set(spec, "replacement", true);
    spec.seeds = {7, "same"};
    for (const Fix& fix : allFixes(spec)) {
      CAPTURE(fix.label);
      const PipelineSpec mended = fixed(spec, fix);
      const bool apart = mended.seeds.rule != "same" && mended.sampler.type == spec.sampler.type;
      if (apart) CHECK(mended.sampler.parameters.contains("generator_seed"));
    }
  }
}

TEST_CASE("streams divide themselves, and never get a sampler") {
  for (const char* type : {"torch.IterableDataset", "datasets.IterableDataset", "webdataset.WebDataset"}) {
    CAPTURE(type);
    PipelineSpec spec = job(type, 800, 2, 10);
    spec.dataset.shards = IndexList(std::size_t{8}, std::int64_t{100});
    spec.loader.num_workers = 2;
    if (spec.sampler.type == "datasets.IterableDataset") set(spec, "split_by_node", false);
    if (spec.sampler.type == "webdataset.WebDataset") set(spec, "nodesplitter", std::string("none"));
    const Fix fix = bestFix(spec, "ranks-identical-order");
    CHECK(fixed(spec, fix).sampler.type == type);
    CHECK(fix.effect.repeated.before > 0);
    CHECK(fix.effect.repeated.after == 0);
    CHECK(fix.effect.missing.after == 0);
    CHECK_FALSE(offers(allFixes(spec), "sampler.type", std::string("torch.DistributedSampler")));
  }
}

TEST_CASE("weights stay with the samples: the sampler is wrapped, not replaced") {
  for (const char* rule : {"same", "base+rank"}) {
    CAPTURE(rule);
    PipelineSpec spec = job("torch.WeightedRandomSampler", 1000, 4, 10);
    spec.seeds.rule = rule;
    set(spec, "weights", std::string("long_tail"));
    for (const Fix& fix : allFixes(spec)) {
      const PipelineSpec mended = fixed(spec, fix);
      CAPTURE(fix.label);
      REQUIRE(mended.sampler.parameters.count("weights") == 1);
      CHECK(mended.sampler.parameters.at("weights") == Value(std::string("long_tail")));
    }
  }
  PipelineSpec spec = job("torch.WeightedRandomSampler", 1000, 4, 10);
  spec.seeds.rule = "same";
  CHECK(edits(bestFix(spec, "ranks-identical-order"), "sampler.type",
              std::string("lightning.DistributedSamplerWrapper")));
}

TEST_CASE("two streams get the two-stream class that deals to ranks, with their lists") {
  PipelineSpec spec = job("meanteacher.TwoStreamBatchSampler", 100, 4, 8);
  set(spec, "primary_indices", range(0, 80));
  set(spec, "secondary_indices", range(80, 100));
  set(spec, "secondary_batch_size", std::int64_t{4});
  spec.seeds.rule = "same";
  const Fix fix = bestFix(spec, "ranks-identical-order");
  const PipelineSpec mended = fixed(spec, fix);
  CHECK(mended.sampler.type == "shardlens.DistributedTwoStreamBatchSampler");
  CHECK(mended.sampler.parameters.at("primary_indices") == Value(range(0, 80)));
  CHECK(mended.sampler.parameters.at("secondary_batch_size") == Value(std::int64_t{4}));
}

TEST_CASE("what accelerator.prepare() made stays Accelerate's") {
  PipelineSpec spec = job("accelerate.BatchSamplerShard", 1003, 2, 16);
  set(spec, "shuffle", false);
  spec.epochs = 1;
  for (const Fix& fix : allFixes(spec)) {
    CAPTURE(fix.label);
    CHECK(fixed(spec, fix).sampler.type.starts_with("accelerate."));
    CHECK(fix.effect.missing.after + fix.effect.repeated.after <=
          fix.effect.missing.before + fix.effect.repeated.before);
  }
}

TEST_CASE("no fix shortens an evaluation for the looks of its last batch") {
  PipelineSpec spec = job("torch.DistributedSampler", 10'000, 8, 32);
  set(spec, "shuffle", false);
  spec.framework.lightning.stage = "validate";
  CHECK(fixesOf(spec, "short-last-batch").empty());
}

TEST_CASE("a batch of one sample is never offered") {
  PipelineSpec spec = job("torch.DistributedSampler", 8, 8, 4);
  spec.loader.drop_last = true;
  for (const Fix& fix : allFixes(spec)) CHECK_FALSE(edits(fix, "loader.batch_size", std::int64_t{1}));
}

TEST_CASE("padding and dropping are offered where they cost less than what is there, never both ways") {
  for (std::int64_t size = 100; size < 108; ++size) {
    CAPTURE(size);
    PipelineSpec spec = job("torch.DistributedSampler", size, 8, 1);
    set(spec, "drop_last", false);
    const bool cuts = offers(allFixes(spec), "sampler.drop_last", true);
    set(spec, "drop_last", true);
    const bool pads = offers(allFixes(spec), "sampler.drop_last", false);
    const std::int64_t tail = size % 8;
    CHECK_FALSE((cuts && pads));
    if (tail > 0 && tail != 4) CHECK((tail < 4 ? cuts : pads));
  }
}

TEST_CASE("trying fixes can be stopped") {
  PipelineSpec spec = job("torch.DistributedSampler", 20'001, 8, 4);
  spec.seeds.rule = "same";
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  std::stop_source source;
  Work work;
  work.stop = source.get_token();
  double stopped_at = 0;
  work.report = [&](double fraction) {  // the second half of an audit tries fixes
    if (fraction > 0.5 && fraction < 1 && source.request_stop()) stopped_at = fraction;
  };
  const auto stopped = audit(*plan, {}, work);
  REQUIRE(stopped_at > 0);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
}

TEST_CASE("unequal batches get several remedies, each with its price") {
  PipelineSpec uneven = job("mmengine.DefaultSampler", 103, 4, 5);
  set(uneven, "round_up", false);
  const auto mmengine = fixesOf(uneven, "unequal-batches");
  CHECK(offers(mmengine, "sampler.round_up", true));
  for (const Fix& fix : mmengine) CHECK_FALSE(fix.price.empty());

  PipelineSpec prepared = job("accelerate.BatchSamplerShard", 33, 4, 4);
  set(prepared, "shuffle", false);
  set(prepared, "even_batches", false);
  const auto accelerate = fixesOf(prepared, "unequal-batches");
  CHECK(offers(accelerate, "sampler.even_batches", true));
  CHECK(offers(accelerate, "loader.drop_last", true));

  PipelineSpec shards = job("webdataset.WebDataset", 700, 4, 10);
  shards.dataset.shards = IndexList(std::size_t{7}, std::int64_t{100});
  const auto webdataset = fixesOf(shards, "unequal-batches");
  CHECK(webdataset.front().effect.missing.after == 0);
  CHECK(offers(webdataset, "sampler.type", std::string("webdataset.ResampledShards")));

  PipelineSpec stream = job("torch.IterableDataset", 1001, 4, 10);
  set(stream, "world_split", std::string("stride"));
  const Fix cut = bestFix(stream, "unequal-batches");
  CHECK(edits(cut, "loader.drop_last", true));
  CHECK(cut.price == "1 more sample missing; 1 fewer step per epoch; new finding: The loader drops 1 sample");
  CHECK(cut.effect.steps == Change{26, 25});
}

TEST_CASE("unequal steps: another batch size comes last, and shards are evened or the stream read whole") {
  PipelineSpec stream = job("torch.IterableDataset", 1001, 4, 10);
  set(stream, "world_split", std::string("stride"));
  const auto fixes = fixesOf(stream, "unequal-batches");
  CHECK(edits(fixes.back(), "loader.batch_size", std::int64_t{9}));
  CHECK(fixes.back().effect.missing == Change{0, 0});
  CHECK(fixes.back().effect.steps == Change{26, 28});
  CHECK(offers(fixes, "sampler.type", std::string("accelerate.IterableDatasetShard")));

  const Fix only = bestFix(job("detectron2.InferenceSampler", 41, 2, 4), "unequal-batches");
  CHECK(only.edits == std::vector<Edit>{{"loader.batch_size", std::int64_t{3}}});

  PipelineSpec shards = job("webdataset.WebDataset", 970, 4, 10);
  shards.dataset.shards = {300, 250, 220, 200};
  const auto rewritten = fixesOf(shards, "unequal-batches");
  CHECK(edits(rewritten.front(), "dataset.shards", IndexList{243, 243, 242, 242}));
  CHECK(offers(rewritten, "sampler.type", std::string("accelerate.IterableDatasetShard")));
}

TEST_CASE("a fix of lost samples wins some of them") {
  PipelineSpec spec = job("torch.DistributedSampler", 1003, 8, 16);
  spec.loader.drop_last = true;
  set(spec, "drop_last", true);
  const auto fixes = fixesOf(spec, "samples-dropped-sampler");
  REQUIRE(fixes.size() == 1);
  CHECK(fixes.front().edits == std::vector<Edit>{{"sampler.drop_last", false}, {"loader.drop_last", false}});
  CHECK(fixes.front().effect.missing == Change{107, 0});
}

TEST_CASE("where no rank makes a step, no fix trades that for ranks that read the same") {
  PipelineSpec stream = job("torch.IterableDataset", 2, 2, 4);
  stream.loader.drop_last = true;
  set(stream, "worker_split", std::string("stride"));
  REQUIRE_FALSE(fixesOf(stream, "no-batches").empty());
  for (const Fix& fix : fixesOf(stream, "no-batches"))
    CHECK((edits(fix, "loader.drop_last", false) && edits(fix, "sampler.world_split", std::string("stride"))));
}

TEST_CASE("streams whose shards do not divide evenly are divided, and kept in step") {
  PipelineSpec spec = job("webdataset.WebDataset", 60, 3, 4);
  spec.dataset.shards = {10, 20, 5, 25};
  spec.epochs = 3;
  set(spec, "nodesplitter", std::string("none"));
  CHECK(edits(bestFix(spec, "ranks-identical-order"), "sampler.nodesplitter", std::string("split_by_node")));

  spec = job("datasets.IterableDataset", 50, 4, 4);
  spec.dataset.shards = {10, 10, 10, 10, 10};
  spec.epochs = 4;
  set(spec, "split_by_node", false);
  CHECK(edits(bestFix(spec, "ranks-identical-order"), "sampler.split_by_node", true));
}

TEST_CASE("a fix that changes the sampler says which fields the new one refuses, and no field twice") {
  PipelineSpec spec = job("webdataset.ResampledShards", 40, 2, 4);
  spec.dataset.shards = {8, 8, 8, 8, 8};
  spec.epochs = 4;
  set(spec, "deterministic", true);
  set(spec, "nshards", std::int64_t{2});
  for (const Fix& fix : allFixes(spec)) {
    CAPTURE(fix.label);
    const bool changes = edits(fix, "sampler.type", std::string("webdataset.WebDataset"));
    CHECK((std::ranges::count(fix.removed, "sampler.nshards") == 1) == changes);
  }
}

TEST_CASE("what workers read twice is counted on each rank, and dividing among them removes just that") {
  PipelineSpec spec = job("torch.IterableDataset", 48, 2, 4);
  spec.loader.num_workers = 2;
  const AuditReport report = reportOf(spec);
  CHECK(report.coverage[0].repeats[RepeatCause::DuplicatingWorkers] == 96);
  CHECK(report.coverage[0].repeats[RepeatCause::OverlappingRanks] == 48);
  const auto finding = std::ranges::find(report.findings, "workers-duplicate", &Finding::code);
  REQUIRE(finding != report.findings.end());
  CHECK(finding->amount == 96);
  CHECK(finding->message.find("96 of 192 items repeat") != std::string::npos);
  const auto divides = [](const Fix& fix) {
    return fix.edits.size() == 1 && fix.edits[0].path == "sampler.worker_split";
  };
  const auto mended = std::ranges::find_if(finding->fixes, divides);
  REQUIRE(mended != finding->fixes.end());
  CHECK(mended->effect.repeated == Change{144, 48});
}

TEST_CASE("a fix that takes ranks farther apart says so") {
  PipelineSpec spec = job("webdataset.ResampledShards", 48, 2, 1);
  spec.dataset.shards = {7, 6, 7, 9, 3, 6, 1, 7, 2};
  spec.loader.drop_last = true;
  spec.epochs = 5;
  spec.seeds = {1, "base+rank+epoch"};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.epochs = 5});
  REQUIRE(report);
  const auto finding = std::ranges::find(report->findings, "samples-repeated", &Finding::code);
  REQUIRE(finding != report->findings.end());
  const auto divides = [](const Fix& fix) { return edits(fix, "sampler.type", std::string("webdataset.WebDataset")); };
  const auto mended = std::ranges::find_if(finding->fixes, divides);
  REQUIRE(mended != finding->fixes.end());
  CHECK(mended->price.find("ranks up to 8 steps apart in epoch 3") != std::string::npos);
  CHECK(mended->effect.steps.after - mended->effect.fewest_steps.after == 8);
}

TEST_CASE("a fix of ranks that share samples changes what is read, and a fix of steps lets ranks make some") {
  PipelineSpec one = job("python.list", 9, 4, 1);
  set(one, "indices", IndexList{5});
  CHECK(fixesOf(one, "ranks-identical-order").empty());
  PipelineSpec by_node = job("torch.RandomSampler", 60, 6, 5);
  by_node.world = {2, 3};
  by_node.seeds.rule = "base+local_rank";
  for (const Fix& fix : fixesOf(by_node, "ranks-share-samples")) CHECK(fix.effect.repeated.after < 300);
  PipelineSpec none = job("torch.IterableDataset", 4, 6, 8);
  none.loader.drop_last = true;
  none.loader.num_workers = 3;
  none.framework.lightning.stage = "test";
  set(none, "world_split", std::string("stride"));
  set(none, "worker_split", std::string("stride"));
  for (const Fix& fix : fixesOf(none, "no-batches")) CHECK(fix.effect.steps.after > 0);
}
