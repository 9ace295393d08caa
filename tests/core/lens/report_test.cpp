// SPDX-License-Identifier: Apache-2.0
// The one judge of the lens: verdicts, counts and texts of every column.
#include "core/lens/report.h"

#include "core/plan/diff.h"
#include "tests/core/lens/lens_reports.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace shardlens;
using test::columnOf;
using test::lensReportOf;

namespace {

PipelineSpec shuffled() {
  PipelineSpec spec;
  spec.dataset.size = 400;
  spec.world = {1, 4};
  spec.loader.batch_size = 5;
  spec.epochs = 3;
  spec.sampler = {"torch.RandomSampler", {}};
  return spec;
}

}  // namespace

TEST_CASE("a report judges each column against what was written") {
  const LensReport report = lensReportOf(shuffled());
  CHECK(report.columns.front().verdict == LensVerdict::Written);
  const JudgedColumn& lightning = columnOf(report, "lightning");
  CHECK(lightning.verdict == LensVerdict::Differs);
  CHECK(lightning.batches == 80);
  CHECK(lightning.differences->batches() == 320);
  CHECK(verdictText(lightning).ends_with("batches differ"));
  CHECK(firstDifferenceText(lightning) == "first at rank 0, step 0");
  CHECK(lightning.epoch == nullptr);
  CHECK(columnOf(report, "lightning-off").verdict == LensVerdict::Same);
  CHECK(verdictText(columnOf(report, "lightning-off")) == "the same order, batch for batch");
}

TEST_CASE("only wanted columns are drawn, and the first; epochs are handed out on demand") {
  LensQuestion question;
  question.wanted = [](const std::string& id) { return id == "lightning"; };
  question.keep_epochs = true;
  const LensReport report = lensReportOf(shuffled(), question);
  for (const JudgedColumn& judged : report.columns) {
    CAPTURE(judged.column.id);
    const bool drawn = judged.column.id == "as-written" || judged.column.id == "lightning";
    CHECK((judged.epoch != nullptr) == drawn);
    if (!drawn && !judged.column.error) CHECK(judged.verdict == LensVerdict::NotAsked);
  }
}

TEST_CASE("a spec with problems has one column that says so") {
  PipelineSpec spec = shuffled();
  spec.sampler.type = "torch.NoSampler";
  const LensReport report = lensReportOf(spec);
  REQUIRE(report.columns.size() == 1);
  CHECK(report.columns[0].verdict == LensVerdict::Raises);
  CHECK(verdictText(report.columns[0]) == "cannot be planned");
}

TEST_CASE("an epoch outside the spec is brought inside") {
  LensQuestion question;
  question.epoch = Epoch{99};
  CHECK(lensReportOf(shuffled(), question).epoch == Epoch{2});
}

TEST_CASE("a stop token ends the report, and progress ends at the whole") {
  std::stop_source source;
  source.request_stop();
  const auto stopped = lensReport(shuffled(), {}, Work{source.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
  double last = -1;
  bool rises = true;
  const auto report = lensReport(shuffled(), {}, Work{{}, [&](double fraction) {
                                                        rises = rises && fraction >= last && fraction <= 1.0001;
                                                        last = fraction;
                                                      }});
  REQUIRE(report);
  CHECK(rises);
}

TEST_CASE("verdicts of random designs agree with a comparison of the plans") {
  test::SmallSpecs specs(88);
  for (int i = 0; i < 60; ++i) {
    const Plan written = specs.next();
    CAPTURE(test::describe(written.spec()));
    for (const JudgedColumn& judged : lensReportOf(written.spec()).columns) {
      CAPTURE(judged.column.id);
      CHECK(judged.verdict != LensVerdict::NotAsked);
      CHECK(judged.verdict != LensVerdict::Uncompared);
      CHECK_FALSE(verdictText(judged).empty());
      CHECK(judged.hasOrder() != judged.column.error.has_value());
      if (judged.differences == nullptr) continue;
      const auto plan = Plan::make(*judged.column.spec);
      REQUIRE(plan);
      const auto diff = PlanDiff(written, *plan).epoch(Epoch{0});
      REQUIRE(diff);
      CHECK(judged.differences->differing() == diff->differing);
      CHECK(judged.differences->batches() == diff->batches);
      CHECK(judged.differences->first().has_value() == diff->first.has_value());
      CHECK((judged.verdict == LensVerdict::Same) == (diff->differing == 0));
    }
  }
}

TEST_CASE("batches without a sample move none to another rank") {
  PipelineSpec spec;
  spec.dataset.size = 1;
  spec.sampler = {"megatron.MegatronFullValidationSampler", {}};
  CHECK(relationText(columnOf(lensReportOf(spec), "fairseq")) ==
        "the same samples on the same ranks, beside batches without any");
}

TEST_CASE("the usual columns are columns of some design") {
  std::vector<std::string> usual;
  for (const char* type : {"torch.RandomSampler", "torch.DistributedSampler", "ssl4mis.TwoStreamBatchSampler"}) {
    PipelineSpec spec = shuffled();
    spec.sampler = {type, {}};
    for (const LensColumn& column : lensColumns(spec)) {
      if (isUsualColumn(column.id)) usual.push_back(column.id);
      if (isUsualColumn(column.remedy_of)) CHECK(isUsualColumn(column.id));
    }
  }
  for (const char* id : {"as-written", "lightning", "lightning-off", "lightning-newer", "lightning-batch-sampler",
                         "lightning-distributed-sampler", "accelerate", "accelerate-shuffle", "transformers"}) {
    CHECK_MESSAGE(std::ranges::find(usual, id) != usual.end(), id);
  }
}

TEST_CASE("the design's epoch is not computed again where it is known") {
  const PipelineSpec spec = shuffled();
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  auto drawn = plan->epoch(Epoch{1});
  REQUIRE(drawn);
  const auto known = std::make_shared<const EpochPlan>(*std::move(drawn));
  LensJudge judge(spec, Epoch{1}, true, known);
  const auto first = judge.judge(0, {});
  REQUIRE(first);
  CHECK(first->epoch == known);
  LensJudge of_another(spec, Epoch{0}, true, known);
  const auto other = of_another.judge(0, {});
  REQUIRE(other);
  CHECK(other->epoch != known);
  CHECK(other->epoch->epoch == Epoch{0});
}
