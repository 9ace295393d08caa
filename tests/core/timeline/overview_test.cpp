// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/overview.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace shardlens;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A step of 10 ms loading and 30 ms computing; `longer_ms` more loading on rank 1.
void addStep(OverviewBuilder& builder, std::int64_t at_ms, std::int32_t epoch, std::int32_t step,
             std::int64_t longer_ms = 0) {
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const std::int64_t load = 10 + (rank == 1 ? longer_ms : 0);
    builder.add(rank, {Phase::Load, at_ms * kMs, (at_ms + load) * kMs, epoch, step});
    builder.add(rank, {Phase::Compute, (at_ms + load) * kMs, (at_ms + load + 30) * kMs, epoch, step});
    if (rank == 0 && longer_ms > 0) {
      builder.add(rank, {Phase::Wait, (at_ms + 40) * kMs, (at_ms + 40 + longer_ms) * kMs, epoch, step});
    }
  }
}

bool inOrder(const Lane& lane) {
  return std::is_sorted(lane.spans.begin(), lane.spans.end(),
                        [](const Span& a, const Span& b) { return a.end_ns < b.end_ns; });
}

}  // namespace

TEST_CASE("a short run is kept span by span, and each step has its length") {
  OverviewBuilder builder(2);
  addStep(builder, 0, 0, 0);
  addStep(builder, 40, 0, 1, 60);
  addStep(builder, 140, 1, 0);
  builder.add(7, {Phase::Load, 0, kMs, 0, 0});  // there is no such rank
  const Overview all = builder.overview();
  CHECK(all.resolution_ns == 0);
  REQUIRE(all.lanes.lanes.size() == 2);
  CHECK(all.lanes.lanes[0].spans.size() == 7);
  CHECK(all.lanes.lanes[1].spans.size() == 6);
  CHECK(all.lanes.end_ns == 180 * kMs);
  REQUIRE(all.steps.size() == 3);
  CHECK(all.steps[1].step == 1);
  CHECK(all.steps[1].begin_ns == 40 * kMs);
  CHECK(all.steps[1].longest_ns == 100 * kMs);
  CHECK(all.steps[1].compute_ns == 30 * kMs);
  CHECK(all.steps[2].epoch == 1);
  CHECK(all.steps[2].longest_ns == 40 * kMs);
}

TEST_CASE("a collective that is over after the next step began belongs to its own step") {
  OverviewBuilder builder(1);
  builder.add(0, {Phase::Compute, 0, 10 * kMs, 0, 0});
  builder.add(0, {Phase::Load, 20 * kMs, 25 * kMs, 0, 1});
  builder.add(0, {Phase::Transfer, 10 * kMs, 20 * kMs, 0, 0});
  const Overview all = builder.overview();
  REQUIRE(all.steps.size() == 2);
  CHECK(all.steps[0].longest_ns == 20 * kMs);
  CHECK(inOrder(all.lanes.lanes[0]));
}

TEST_CASE("a long run keeps its memory, its worst step and who did what when") {
  constexpr std::size_t kSpans = 1000;
  constexpr std::size_t kSteps = 64;
  OverviewBuilder builder(2, kSpans, kSteps);
  std::int64_t at = 0;
  for (std::int32_t step = 0; step < 5000; ++step) {
    const std::int64_t longer = step == 1234 ? 900 : 0;
    addStep(builder, at, 0, step, longer);
    at += 40 + longer;
  }
  const Overview all = builder.overview();
  CHECK(all.resolution_ns > 0);
  std::size_t spans = 0;
  for (const Lane& lane : all.lanes.lanes) {
    spans += lane.spans.size();
    CHECK(inOrder(lane));
    std::size_t summed_up = 0;
    std::size_t computing = 0;
    for (const Span& one : lane.spans) {
      if (one.end_ns - one.begin_ns != all.resolution_ns) continue;
      ++summed_up;
      if (one.phase == Phase::Compute) ++computing;
    }
    CHECK(summed_up > 100);
    CHECK(computing > summed_up * 9 / 10);  // most of nearly every stretch is computed
  }
  CHECK(spans <= kSpans);
  CHECK(all.lanes.end_ns == at * kMs);
  CHECK(all.steps.size() <= kSteps + 6);
  std::int64_t steps = 0;
  for (const StepTime& one : all.steps) steps += one.steps;
  CHECK(steps == 5000);
  const auto worst = std::max_element(all.steps.begin(), all.steps.end(),
                                      [](const StepTime& a, const StepTime& b) { return a.longest_ns < b.longest_ns; });
  CHECK(worst->longest_ns == 940 * kMs);
  CHECK(worst->slowest_ns == 1234 * 40 * kMs);
  CHECK(worst->step <= 1234);
  CHECK(worst->step + worst->steps > 1234);
}

TEST_CASE("steps that are kept together have their average beside the longest of them") {
  OverviewBuilder builder(1, OverviewBuilder::kMostSpans, 64);
  for (std::int32_t step = 0; step < 1000; ++step) {
    builder.add(0, {Phase::Compute, step * 100 * kMs, (step * 100 + (step % 2 == 0 ? 40 : 80)) * kMs, 0, step});
  }
  const Overview all = builder.overview();
  CHECK(all.steps.front().steps > 1);
  for (const StepTime& one : all.steps) {
    if (one.steps > 1) CHECK(one.longest_ns == 80 * kMs);
    CHECK(one.usual_ns == (one.steps > 1 ? 60 * kMs : one.longest_ns));
  }
}

TEST_CASE("what was not measured is no span, however coarse") {
  OverviewBuilder builder(1, 100);
  for (std::int32_t step = 0; step < 400; ++step) {
    if (step >= 100 && step < 300) continue;
    builder.add(0, {Phase::Compute, step * 10 * kMs, (step + 1) * 10 * kMs, 0, step});
  }
  const Overview all = builder.overview();
  CHECK(all.resolution_ns > 0);
  for (const Span& one : all.lanes.lanes[0].spans) {
    CHECK((one.begin_ns < 1000 * kMs || one.end_ns > 3000 * kMs));
  }
}

TEST_CASE("the longest step of a hundred is no usual length") {
  OverviewBuilder builder(1);
  for (std::int32_t step = 0; step < 1000; ++step) {
    builder.add(0, {Phase::Compute, step * 1000 * kMs, (step * 1000 + (step == 5 ? 900 : 40)) * kMs, 0, step});
  }
  CHECK(builder.overview().usual_longest_ns == 40 * kMs);
  CHECK(OverviewBuilder().overview().steps.empty());
}
