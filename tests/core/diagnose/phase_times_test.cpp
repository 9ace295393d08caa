// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/phase_times.h"

#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

using Reason = PhaseDifference::Reason;
using Phases = std::vector<PipelineSpec::Phase>;

/// 4 ranks, 2 epochs of 8 steps each, of which the first one does not count.
Plan planWith(Phases schedule, double load_ms = 2, double delay_ms = 0) {
  PipelineSpec spec;
  spec.dataset.size = 64;
  spec.world = {1, 4};
  spec.schedule = std::move(schedule);
  spec.run.load_ms = load_ms;
  if (delay_ms > 0) spec.run.delays = {{.rank = 2, .ms = delay_ms, .phase = "load"}};
  auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  return *plan;
}

/// Loads for 10 ms, rank 2 for 30, computes for 10 and has its sum 2 ms after the last rank came.
Result<std::vector<PhaseTime>> timesIn(const Plan& run, const Plan& design, std::int64_t steps = 8) {
  const TempFolder folder;
  FakeRunFile file(folder / "run.slrun", run, "");
  file.pace.bytes = 4'000'000;
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    for (std::int64_t step = 0; step < steps; ++step) file.step(epoch, step, 2);
  }
  file.bye();
  file.end();
  return measuredPhases(design, folder / "run.slrun");
}

std::vector<PhaseTime> timesOf(const Plan& plan, std::int64_t steps = 8) {
  auto times = timesIn(plan, plan, steps);
  REQUIRE_MESSAGE(times, times.error().text());
  return *std::move(times);
}

}  // namespace

TEST_CASE("what each phase took is the median of each rank, and the longest is explained") {
  const auto times = timesOf(planWith({{.what = "ddp"}}));
  REQUIRE(times.size() == 3);
  const PhaseTime& load = times[0];
  REQUIRE(load.ranks.size() == 4);
  CHECK(load.steps() == 4 * 14);
  CHECK(load.usualMs() == doctest::Approx(10));
  CHECK(load.slowest().rank == 2);
  CHECK(load.slowest().ms == doctest::Approx(30));
  const PhaseDifference slow = differenceOf(load);
  CHECK(slow.predicted_ms == doctest::Approx(2));
  CHECK(slow.measured_ms == doctest::Approx(30));
  CHECK(slow.reason == Reason::SlowRank);
  CHECK(slow.others_ms == doctest::Approx(10));
  CHECK(differenceOf(times[1]).reason == Reason::LongerCompute);
  CHECK(times[2].usualMs() == doctest::Approx(2));
  CHECK(differenceOf(times[2]).reason == Reason::LongerCollective);
  CHECK(times[2].link_bytes_per_s == doctest::Approx(3e9));  // 2 x 3 quarters of the bytes in 2 ms
  const std::string text = words::phasesText(times);
  CHECK(text.find("schedule[0] load: ") != std::string::npos);
  CHECK(text.find("Rank 2 takes ") != std::string::npos);
  CHECK(text.find("although all of its ranks had come") != std::string::npos);
}

TEST_CASE("a delay of the design is predicted, and is no part of what the phase usually takes") {
  const auto times = timesOf(planWith({{.what = "ddp"}}, 10, 20));
  CHECK(times[0].usualMs() == doctest::Approx(10));
  CHECK(differenceOf(times[0]).predicted_ms == doctest::Approx(30));
  CHECK(differenceOf(times[0]).reason == Reason::None);
}

TEST_CASE("where all ranks wait longer for data, no rank is blamed") {
  const auto times = timesOf(planWith({{.what = "ddp"}}, 2, 20));
  CHECK(differenceOf(times[0]).predicted_ms == doctest::Approx(22));
  CHECK(differenceOf(times[0]).reason == Reason::LongerLoad);
}

TEST_CASE("without a schedule the usual step is measured") {
  const auto times = timesOf(planWith({}));
  REQUIRE(times.size() == 3);
  CHECK(times[1].usualMs() == doctest::Approx(10));
}

TEST_CASE("phases that the records do not tell apart are not measured") {
  const auto both = timesOf(planWith({{.what = "compute"}, {.what = "host"}, {.what = "load"}, {.what = "barrier"}}));
  REQUIRE(both.size() == 4);
  CHECK(both[0].ranks.empty());
  CHECK(both[1].ranks.empty());
  CHECK(both[2].usualMs() == doctest::Approx(10));
  CHECK(both[3].ranks.empty());
  const auto turns = timesOf(
      planWith({{.what = "compute", .condition = "step % 2 == 0"}, {.what = "host", .condition = "step % 2 == 1"}}));
  CHECK(turns[0].ranks.front().steps == 6);
  CHECK(turns[1].ranks.front().steps == 8);
}

TEST_CASE("a few steps give no time, and a run of another world none at all") {
  const auto few = timesOf(planWith({{.what = "ddp"}}), 3);
  CHECK(few[0].ranks.empty());
  CHECK(words::phasesText(few).empty());
  PipelineSpec other = planWith({}).spec();
  other.world = {1, 2};
  const auto design = Plan::make(other);
  REQUIRE(design);
  const auto refused = timesIn(planWith({}), *design);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "The run has 4 ranks, and the design 2.");
}
