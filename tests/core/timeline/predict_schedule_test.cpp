// SPDX-License-Identifier: Apache-2.0

#include "core/timeline/predict.h"

#include <doctest/doctest.h>

#include <string>

using namespace shardlens;

namespace {

/// 16 samples, batches of 2, 2 ranks: 4 steps an epoch, 2 epochs.
Timeline predicted(std::vector<PipelineSpec::Phase> phases, Step first, std::int64_t steps, const Network& network = {},
                   std::int64_t epoch = 0) {
  PipelineSpec spec;
  spec.schedule = std::move(phases);
  spec.run.load_ms = 2;
  spec.run.compute_ms = 5;
  spec.run.gradient_kb = 6;
  spec.run.delays = {{.rank = 1, .ms = 10, .phase = "compute"}};
  const auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  const auto timeline = predictSchedule(*plan, *plan->epochShape(Epoch{epoch}), first, steps, network);
  REQUIRE(timeline);
  return *timeline;
}

/// "load 0-2, compute 2-7": in milliseconds.
std::string textOf(const Timeline& timeline, std::size_t rank) {
  constexpr const char* kNames[] = {"unmeasured", "load", "compute", "wait", "transfer"};
  std::string text;
  for (const Span& span : timeline.lanes[rank].spans)
    text += (text.empty() ? "" : ", ") + std::string(kNames[static_cast<int>(span.phase)]) + " " +
            std::to_string(span.begin_ns / 1'000'000) + "-" + std::to_string(span.end_ns / 1'000'000);
  return text;
}

}  // namespace

TEST_CASE("the usual step takes what it takes without a schedule") {
  PipelineSpec spec;
  spec.world.ranks_per_node = 3;
  spec.run.delays = {{.rank = 1, .ms = 10, .phase = "load", .from_step = 1}, {.rank = 2, .ms = 3}};
  const auto plan = Plan::make(spec);
  spec.schedule = {{.what = "ddp"}};
  const auto scheduled = Plan::make(spec);
  REQUIRE(scheduled);
  for (const std::int64_t epoch : {0, 1}) {
    const auto shape = plan->epochShape(Epoch{epoch});
    const auto usual = predict(*plan, *shape, Step{1}, 2);
    const auto timeline = predictSchedule(*scheduled, *shape, Step{1}, 2);
    REQUIRE(timeline);
    CHECK(timeline->end_ns == usual->end_ns);
    for (std::size_t rank = 0; rank < 3; ++rank) {
      CHECK(textOf(*timeline, rank) == textOf(*usual, rank));
      CHECK(timeline->lanes[rank].spans.back().step == 2);
    }
  }
}

TEST_CASE("what is done once, at the start and at the ends, is there where the steps reach that far") {
  const std::vector<PipelineSpec::Phase> phases = {
      {.what = "barrier", .at = "start", .condition = "rank == 1"},
      {.what = "host", .at = "start", .condition = "rank == 0", .ms = 30},
      {.what = "barrier", .at = "start", .condition = "rank == 0"},
      {.what = "load", .ms = 1},
      {.what = "host", .at = "epoch_end", .condition = "rank == 0", .ms = 7},
      {.what = "barrier", .at = "end"}};
  CHECK(textOf(predicted(phases, Step{0}, 1), 0) == "compute 0-30, load 30-31");
  CHECK(textOf(predicted(phases, Step{0}, 1), 1) == "wait 0-30, load 30-31");
  CHECK(textOf(predicted(phases, Step{3}, 1), 0) == "load 0-1, compute 1-8");
  CHECK(textOf(predicted(phases, Step{3}, 1), 1) == "load 0-1");
  CHECK(textOf(predicted(phases, Step{3}, 1, {}, 1), 1) == "load 0-1, wait 1-8");
}

TEST_CASE("a collective takes its messages and its bytes once the last rank is there") {
  const Network network{.message_ms = 1, .bytes_per_ms = 1000};
  const Timeline timeline = predicted({{.what = "ddp"}}, Step{0}, 1, network);
  CHECK(textOf(timeline, 0) == "load 0-2, compute 2-7, wait 7-17, transfer 17-25");
  CHECK(textOf(timeline, 1) == "load 0-2, compute 2-17, transfer 17-25");
  const Timeline own = predicted({{.what = "compute", .ms = 4}, {.what = "barrier", .ms = 3}}, Step{0}, 1, network);
  CHECK(textOf(own, 0) == "compute 0-4, wait 4-14, transfer 14-18");
  const auto ms = [&](schedule::Kind kind, std::size_t ranks) {
    schedule::Operation operation;
    operation.kind = kind;
    operation.bytes = 4000;
    return network.msOf(operation, ranks);
  };
  CHECK(ms(schedule::Kind::AllReduce, 4) == doctest::Approx(6 + 6));
  CHECK(ms(schedule::Kind::AllGather, 4) == doctest::Approx(3 + 12));
  CHECK(ms(schedule::Kind::ReduceScatter, 4) == doctest::Approx(3 + 3));
  CHECK(ms(schedule::Kind::Send, 2) == doctest::Approx(1 + 4));
  CHECK(ms(schedule::Kind::AllReduce, 1) == 0);
}

TEST_CASE("messages and groups keep only their own ranks waiting, and who never gets through waits to the end") {
  const Timeline messages = predicted({{.what = "compute", .condition = "rank == 0", .ms = 4},
                                       {.what = "send", .condition = "rank == 0"},
                                       {.what = "recv", .condition = "rank == 1"}},
                                      Step{1}, 1);
  CHECK(textOf(messages, 1) == "wait 0-4");
  const Timeline stuck =
      predicted({{.what = "barrier", .condition = "rank == 1"}, {.what = "load", .ms = 3}}, Step{0}, 2);
  CHECK(textOf(stuck, 0) == "load 0-3, load 3-6");
  CHECK(textOf(stuck, 1) == "wait 0-6");
  const Timeline alone = predicted({{.what = "barrier", .ranks = "[[0], [1]]"}, {.what = "load", .ms = 3}}, Step{0}, 1);
  CHECK(textOf(alone, 1) == "load 0-3");
}
