// SPDX-License-Identifier: Apache-2.0
// Known pitfalls of frameworks that can be counted: the audit finds them, and says what is so.
#include "core/audit/audit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <utility>

using namespace shardlens;
using test::need;

namespace {

PipelineSpec specOf(const char* type, std::int64_t size, std::int64_t nodes, std::int64_t batch) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {nodes, 2 / nodes};
  spec.loader.batch_size = batch;
  spec.sampler.type = type;
  spec.seeds.rule = "base+rank";
  spec.epochs = 3;
  return spec;
}

AuditReport reportOn(const PipelineSpec& spec) {
  return test::reportOf(spec, {.fixes = false});
}

}  // namespace

TEST_CASE("YOLOv5 with workers reads epoch 1 as epoch 0") {
  PipelineSpec spec = specOf("yolov5.InfiniteDataLoader", 64, 1, 4);
  spec.loader.num_workers = 2;
  CHECK(need(reportOn(spec), "epochs-repeat").severity == Severity::Warning);
}

TEST_CASE("litData reads a chunk of two nodes twice, which skips no other sample") {
  PipelineSpec spec = specOf("litdata.StreamingDataset", 64, 2, 4);
  spec.dataset.shards = {30, 34};
  spec.sampler.parameters = {{"shuffle", std::string("full")}};
  const AuditReport report = reportOn(spec);
  CHECK(report.coverage[0].repeats[RepeatCause::ShuffleDefect] == 0);
  CHECK(report.coverage[1].repeats[RepeatCause::ShuffleDefect] > 0);
  CHECK(need(report, "repeats-unexplained").why ==
        "A known defect of the framework's shuffle hands samples out again.");
}

TEST_CASE("nanoGPT begins no row with the last tokens, which is no cut of a tail") {
  PipelineSpec spec = specOf("nanogpt.get_batch", 65, 1, 4);
  const AuditReport report = reportOn(spec);
  CHECK(report.coverage[0].missing_by[MissingCause::OutsideSubset] == 8);
  CHECK(report.coverage[0].missing_by[MissingCause::CutBySampler] == 0);
}

TEST_CASE("mmdet's AspectRatioBatchSampler drops a full batch with drop_last") {
  PipelineSpec spec = specOf("mmdet.AspectRatioBatchSampler", 32, 1, 4);
  spec.world = {1, 1};
  spec.loader.drop_last = true;
  spec.sampler.parameters = {{"inner", std::string("sequential")}};
  std::vector<double> ratios(32, 2.0);
  for (const std::size_t tall : {0U, 1U}) ratios[tall] = 0.5;  // two tall and two wide images are left: a whole batch
  spec.sampler.parameters["aspect_ratios"] = NumberList(std::move(ratios));
  const AuditReport report = reportOn(spec);
  CHECK(report.coverage[0].missing == 4);
}

TEST_CASE("a plan of DeepSpeed that would never end says so") {
  PipelineSpec spec = specOf("deepspeed.DeepSpeedDataSampler", 3, 1, 8);
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.fixes = false});
  REQUIRE_FALSE(report);
  CHECK(report.error().message.find("keeps drawing without a step") != std::string::npos);
}
