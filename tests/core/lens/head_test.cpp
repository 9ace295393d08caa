// SPDX-License-Identifier: Apache-2.0
// What stands at the head of a column: verdict, shares, what taking it changes and costs.
#include "core/lens/head.h"

#include "tests/core/lens/lens_reports.h"
#include "tests/support/small_spec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace shardlens;
using test::columnOf;

namespace {

PipelineSpec designed(const char* sampler) {
  PipelineSpec spec;
  spec.dataset.size = 256;
  spec.world = {1, 4};
  spec.loader.batch_size = 8;
  spec.sampler = {sampler, {}};
  return spec;
}

LensReport reportOf(const PipelineSpec& spec) {
  return test::lensReportOf(spec, {Epoch{0}, {}, true});
}

std::map<std::int64_t, std::int64_t> countsOf(const EpochPlan& epoch) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const RankEpoch& rank : epoch.ranks) {
    for (Step step{0}; step.value < rank.batches(); ++step) {
      for (const SampleIndex sample : rank.batchSamples(step)) ++counts[sample];
    }
  }
  return counts;
}

std::int64_t sameReadings(const EpochPlan& first, const EpochPlan& second) {
  std::int64_t same = 0;
  for (std::size_t rank = 0; rank < std::min(first.ranks.size(), second.ranks.size()); ++rank) {
    const RankEpoch& one = first.ranks[rank];
    for (Step step{0}; step.value < one.batches(); ++step) {
      if (sameBatch(one, second.ranks[rank], step)) same += std::ssize(one.batchSamples(step));
    }
  }
  return same;
}

/// The shares as their definitions say, sample by sample.
ReadingShares countedShares(const EpochPlan& first, const EpochPlan& second) {
  const auto before = countsOf(first);
  auto after = countsOf(second);
  ReadingShares shares;
  shares.same = sameReadings(first, second);
  std::int64_t both = 0;
  for (const auto& [sample, times] : before) {
    const std::int64_t there = after.contains(sample) ? after[sample] : 0;
    both += std::min(times, there);
    (there == 0 ? shares.lost : shares.fewer) += std::max<std::int64_t>(0, times - there);
  }
  for (const auto& [sample, times] : after) {
    const auto found = before.find(sample);
    const std::int64_t there = found == before.end() ? 0 : found->second;
    const std::int64_t first_readings = there == 0 ? 1 : 0;
    shares.added += first_readings;
    shares.repeated += std::max<std::int64_t>(0, times - there - first_readings);
  }
  shares.moved = both - shares.same;
  return shares;
}

}  // namespace

TEST_CASE("shares of random designs are what counting each sample gives") {
  test::SmallSpecs specs(91);
  std::int64_t compared = 0;
  for (int i = 0; i < 60; ++i) {
    const Plan written = specs.next();
    CAPTURE(test::describe(written.spec()));
    const LensReport report = reportOf(written.spec());
    for (const JudgedColumn& judged : report.columns) {
      CAPTURE(judged.column.id);
      if (!judged.samples) continue;
      ++compared;
      CHECK(judged.samples->shares == countedShares(*report.columns.front().epoch, *judged.epoch));
      double sum = 0;
      for (const LensShare& share : sharesOf(judged)) sum += share.share;
      CHECK(sum == doctest::Approx(judged.samples->shares.sum() > 0 ? 1 : 0));
      CHECK_FALSE(headOf(judged).text.empty());
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("a sound design that a framework deals unchanged is good, a wrong one is not") {
  const LensReport sound = reportOf(designed("torch.DistributedSampler"));
  CHECK(headOf(sound.columns.front()).text == "Reference");
  CHECK(headOf(columnOf(sound, "lightning")).text == "Same order");
  CHECK(headOf(columnOf(sound, "lightning")).tone == LensTone::Good);
  CHECK(readText(sound.columns.front()) == "256 samples in 32 batches");

  const LensReport wrong = reportOf(designed("torch.RandomSampler"));  // every rank reads everything
  CHECK(readText(wrong.columns.front()) == "256 samples in 128 batches, 768 repeats");
  CHECK(headOf(columnOf(wrong, "lightning-off")).text == "Same order as written");
  CHECK(headOf(columnOf(wrong, "lightning-off")).tone == LensTone::Neutral);
}

TEST_CASE("the same order is good only where an audit finds it good") {
  const auto same = [](const PipelineSpec& spec) { return headOf(columnOf(reportOf(spec), "torchdata")); };
  PipelineSpec uneven = designed("datasets.Dataset");
  CHECK(same(uneven).tone == LensTone::Good);
  uneven.dataset.size = 4 * 8 * 8 + 1;  // rank 0 has one batch more
  CHECK(same(uneven).text == "Same order as written");
  PipelineSpec repeated = designed("torch.DistributedSampler");
  CHECK(same(repeated).tone == LensTone::Good);
  repeated.sampler.parameters = {{"set_epoch", false}};
  CHECK(same(repeated).tone == LensTone::Neutral);
  PipelineSpec none = designed("torch.DistributedSampler");
  none.dataset.size = 8;
  none.loader.drop_last = true;
  CHECK(same(none).tone == LensTone::Neutral);
}

TEST_CASE("batches beyond overfit_batches are not counted") {
  PipelineSpec spec = designed("torch.DistributedSampler");
  spec.framework.lightning.stage = "validate";
  spec.framework.lightning.overfit_batches = 3;
  const LensReport report = reportOf(spec);
  CHECK(columnOf(report, "lightning").steps == 3);
  CHECK(columnOf(report, "lightning").items == 96);
  CHECK(costText(columnOf(report, "lightning"), report.columns.front()) == "loses 160 samples, 3 steps instead of 8");
}

TEST_CASE("a framework that divides once more loses samples, and its head says so") {
  const LensReport report = reportOf(designed("torch.DistributedSampler"));
  const JudgedColumn& accelerate = columnOf(report, "accelerate");
  const LensHead head = headOf(accelerate);
  CHECK(head.text == "192 of 256 samples lost");
  CHECK(head.tone == LensTone::Bad);
  CHECK(costText(accelerate, report.columns.front()) == "loses 192 samples, 2 steps instead of 8");
  CHECK(costsSamples(accelerate));
  const std::vector<LensShare> shares = sharesOf(accelerate);
  REQUIRE_FALSE(shares.empty());
  CHECK(shares.back().kind == ShareKind::Lost);
  CHECK(shares.back().share == doctest::Approx(0.75));
}

TEST_CASE("long counts become shares") {
  PipelineSpec spec = designed("torch.DistributedSampler");
  spec.dataset.size = 256'000;
  const LensReport report = reportOf(spec);
  CHECK(headOf(columnOf(report, "accelerate")).text == "75\u202f% of the samples lost");
}

TEST_CASE("what a framework raises, and what nobody can tell, is no difference") {
  JudgedColumn judged;
  judged.column.error = Error{ErrorCode::BadInput, "batch_size must be 1", {}, {}, "ValueError"};
  judged.verdict = LensVerdict::Raises;
  CHECK(headOf(judged).text == "Raises ValueError");
  CHECK(headOf(judged).tone == LensTone::Bad);
  judged.column.error->code = ErrorCode::Unsupported;
  CHECK(headOf(judged).text == "Not modelled");
  CHECK(headOf(judged).tone == LensTone::Neutral);
  CHECK(headOf(JudgedColumn{}).text.empty());
}

TEST_CASE("taking a column says what it changes and costs") {
  const PipelineSpec design = designed("torch.DistributedSampler");
  LensColumn column;
  CHECK(changeText(design, column).empty());
  column.spec = design;
  CHECK(changeText(design, column) == "nothing changes");
  column.spec->loader.drop_last = true;
  CHECK(changeText(design, column) == "sets drop_last: true");
  column.spec->sampler = {"torch.RandomSampler", {}};
  column.spec->seeds.base = 42;
  CHECK(changeText(design, column) == "changes loader, sampler and seeds");

  const LensReport report = reportOf(design);
  CHECK(costText(columnOf(report, "lightning"), report.columns.front()) == "no sample is lost or read more often");
  CHECK_FALSE(costsSamples(columnOf(report, "lightning")));
  CHECK(costText(report.columns.front(), report.columns.front()).empty());
}

TEST_CASE("a column that was stopped can be judged again") {
  LensJudge judge(designed("torch.DistributedSampler"), Epoch{0}, false);
  REQUIRE(judge.columns() > 2);
  REQUIRE(judge.judge(0, {}));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = judge.judge(2, Work{stop.get_token(), {}});
  if (!stopped) CHECK(stopped.error().code == ErrorCode::Cancelled);
  CHECK(judge.unasked(2).verdict == LensVerdict::NotAsked);
  const auto again = judge.judge(2, {});
  REQUIRE(again);
  CHECK(again->hasOrder());
}

TEST_CASE("ranks of one copy of the model repeat nothing where they read the same, and Megatron's column says so") {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {1, 8, {.tensor = 2, .pipeline = 2}};
  spec.loader.batch_size = 4;
  spec.epochs = 1;
  spec.sampler = {"megatron.MegatronPretrainingSampler", {}};
  const LensReport report = test::lensReportOf(spec);
  CHECK(readText(report.columns.front()) == "64 samples in 64 batches");
  const JudgedColumn& megatron = test::columnOf(report, "megatron");
  CHECK(megatron.verdict == LensVerdict::Same);
  CHECK(headOf(megatron).text == "Same order");
  CHECK(headOf(megatron).tone == LensTone::Good);
  CHECK(headOf(test::columnOf(report, "lightning")).text == "Not modelled");

  spec.sampler = {"torch.DistributedSampler", {}};  // its 8 shares: peers read apart
  const LensReport apart = test::lensReportOf(spec);
  CHECK(apart.columns.front().repeats == 0);
  CHECK(test::columnOf(apart, "megatron").repeats == 0);
  CHECK(test::columnOf(apart, "megatron").verdict == LensVerdict::Differs);
}
