// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/predict.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

Plan slowPlan() {
  PipelineSpec spec;
  spec.dataset.size = 24;
  spec.world = {1, 3};
  spec.loader.batch_size = 2;
  spec.run.load_ms = 2;
  spec.run.compute_ms = 5;
  spec.run.delays = {{.rank = 1, .ms = 10, .phase = "compute"}};
  auto plan = Plan::make(spec);
  REQUIRE(plan);
  return *plan;
}

Timeline predicted(std::int64_t first_step, std::int64_t steps) {
  const Plan plan = slowPlan();
  const auto shape = plan.epochShape(Epoch{0});
  REQUIRE(shape);
  const auto timeline = predict(plan, *shape, Step{first_step}, steps);
  REQUIRE(timeline);
  return *timeline;
}

}  // namespace

TEST_CASE("all ranks wait for the slowed one, step by step") {
  const Timeline timeline = predicted(1, 2);
  CHECK(timeline.end_ns == 34'000'000);
  REQUIRE(timeline.lanes.size() == 3);
  const auto& fast = timeline.lanes[0].spans;
  REQUIRE(fast.size() == 6);
  CHECK(fast[0].phase == Phase::Load);
  CHECK(fast[0].step == 1);
  CHECK(fast[1].phase == Phase::Compute);
  CHECK(fast[1].end_ns == 7'000'000);
  CHECK(fast[2].phase == Phase::Wait);
  CHECK(fast[2].end_ns == 17'000'000);
  CHECK(fast[3].begin_ns == 17'000'000);
  const auto& slow = timeline.lanes[1].spans;
  REQUIRE(slow.size() == 4);
  CHECK(slow[1].end_ns - slow[1].begin_ns == 15'000'000);
}

TEST_CASE("a delay begins and ends at its steps, counted over all epochs") {
  PipelineSpec spec = slowPlan().spec();
  const std::int64_t steps = *slowPlan().steps(Epoch{0});
  spec.run.delays = {{.rank = 1, .ms = 10, .from_step = steps + 1, .until_step = steps + 3}, {.rank = 2, .ms = 2}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto length = [&](std::int64_t epoch, std::int64_t step) {
    return predict(*plan, *plan->epochShape(Epoch{epoch}), Step{step}, 1)->end_ns / 1'000'000;
  };
  CHECK(length(0, 1) == 9);
  CHECK(length(1, 0) == 9);
  CHECK(length(1, 1) == 17);
  CHECK(length(1, 2) == 17);
  CHECK(length(1, 3) == 9);
}

TEST_CASE("steps past the epoch's end are left out") {
  CHECK(predicted(3, 100).end_ns == 17'000'000);
  CHECK(predicted(4, 100).lanes[0].spans.empty());
}
