// SPDX-License-Identifier: Apache-2.0
// What saved states and counts of consumed samples leave out, and which field is named for it.
#include "core/audit/audit.h"
#include "core/sampling/recorded_lists.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

using namespace shardlens;
using test::need;

namespace {

AuditReport reportOn(std::int64_t size, std::int64_t batch, PipelineSpec::Sampler sampler) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, 2};
  spec.loader.batch_size = batch;
  spec.sampler = std::move(sampler);
  spec.seeds.rule = "base+rank";
  return test::reportOf(spec, {.fixes = false});
}

}  // namespace

TEST_CASE("what a saved state leaves out is named by the field that says so") {
  PipelineSpec::Sampler shard = {"accelerate.BatchSamplerShard", {{"skip_first_batches", std::int64_t{2}}}};
  CHECK(need(reportOn(64, 4, shard), "samples-left-out").where.field == "sampler.skip_first_batches");
  shard.parameters["skip_first_batches"] = std::int64_t{8};
  const Finding empty = need(reportOn(64, 4, shard), "empty-ranks");
  CHECK(empty.where.field == "sampler.skip_first_batches");
  CHECK(empty.why == "The sampler leaves out samples that were read before: look at sampler.skip_first_batches.");
}

TEST_CASE("what a count of consumed samples skips in a later epoch was not read before the state was saved") {
  const AuditReport resumed =
      reportOn(16, 2, {"megatron.MegatronPretrainingSampler", {{"consumed_samples", std::int64_t{6}}}});
  CHECK(resumed.coverage[0].missing_by[MissingCause::HandedOutBefore] == 6);
  CHECK(resumed.coverage[0].missing_by[MissingCause::CountCarriedOver] == 0);
  CHECK(resumed.coverage[1].missing_by[MissingCause::HandedOutBefore] == 0);
  CHECK(resumed.coverage[1].missing_by[MissingCause::CountCarriedOver] == 6);
  CHECK(need(resumed, "samples-left-out").where.epoch == 0);
  CHECK(need(resumed, "samples-left-out").where.field == "sampler.consumed_samples");
  const Finding again = need(resumed, "samples-skipped");
  CHECK(again.severity == Severity::Warning);
  CHECK(again.where.epoch == 1);
  CHECK(again.where.field == "sampler.consumed_samples");
}

TEST_CASE("a rank that reads more batches than others begins the next epoch late, and what it skips is explained") {
  // Of 11 samples rank 0 reads 6 in epoch 0 and rank 1 reads 5: by its own count rank 0 has then done a step of
  // epoch 1.
  const AuditReport report = reportOn(11, 1, {"megatron.MegatronPretrainingRandomSampler", {{"data_sharding", false}}});
  CHECK(report.coverage[0].missing == 0);
  CHECK(report.coverage[1].missing == 1);
  CHECK(report.coverage[1].missing_by[MissingCause::CountCarriedOver] == 1);
  CHECK(need(report, "samples-skipped").title == "1 sample is skipped at the start of an epoch");
}

TEST_CASE("why a job read the batches that were recorded, no recording says") {
  PipelineSpec spec;
  spec.dataset.size = 10;
  spec.world = {1, 1};
  spec.epochs = 1;
  sampling::setRecorded(spec, {{3, 1, 3}, {2, 1}, {2}});
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto report = audit(*plan, {.fixes = false});
  REQUIRE(report);
  for (const char* code : {"samples-left-out", "samples-repeated"})
    CHECK(need(*report, code).why == "These are the recorded batches. The recording does not say why these were read.");
}

TEST_CASE("an order that stays the same does not say how often set_epoch was called") {
  PipelineSpec::Sampler sampler = {"torch.DistributedSampler", {{"set_epoch", false}}};
  const Finding same = need(reportOn(64, 4, sampler), "epochs-repeat");
  CHECK(same.message == "Epochs 0 and 1 have the same batches: set_epoch is never called with another epoch.");
}
