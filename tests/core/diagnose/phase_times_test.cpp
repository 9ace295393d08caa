// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/phase_times.h"

#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <functional>
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

/// Of the run that `write` writes.
Result<std::vector<PhaseTime>> timesOfRun(const Plan& run, const Plan& design,
                                          const std::function<void(FakeRunFile&)>& write) {
  const TempFolder folder;
  FakeRunFile file(folder / "run.slrun", run, "");
  write(file);
  file.bye();
  file.end();
  return measuredPhases(design, folder / "run.slrun");
}

/// Loads for 10 ms, rank 2 for 30, computes for 10 and has its sum 2 ms after the last rank came.
Result<std::vector<PhaseTime>> timesIn(const Plan& run, const Plan& design, std::int64_t steps = 8) {
  return timesOfRun(run, design, [steps](FakeRunFile& file) {
    file.pace.bytes = 4'000'000;
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
      for (std::int64_t step = 0; step < steps; ++step) file.step(epoch, step, 2);
    }
  });
}

PhaseTime phaseTime(schedule::Kind kind, std::vector<RankPhaseTime> ranks, std::int64_t ranks_doing) {
  PhaseTime time;
  time.operation.kind = kind;
  time.ranks = std::move(ranks);
  time.ranks_doing = ranks_doing;
  return time;
}

/// The rank's n-th call of a collective with root 0: rank 3 comes 50 ms after the others, and all leave 3 ms later.
void addCall(FakeRunFile& file, std::int64_t rank, std::uint16_t op, std::int64_t n, std::int64_t step) {
  const std::int64_t begin = file.now() + n * 100 * FakeRunFile::kMs;
  const std::int64_t enter = begin + (rank == 3 ? 50 : 0) * FakeRunFile::kMs;
  const std::int64_t leave = begin + 53 * FakeRunFile::kMs;
  sl_record record{};
  record.kind = SL_COLL_ENTER;
  record.op = op;
  record.step = static_cast<std::uint32_t>(step);
  record.seq = static_cast<std::uint64_t>(n);
  record.time_ns = static_cast<std::uint64_t>(enter);
  file.add({enter, RankRecord{rank, record}});
  record.kind = SL_COLL_LEAVE;
  record.time_ns = static_cast<std::uint64_t>(leave);
  record.a = static_cast<std::uint64_t>(leave - enter);
  file.add({leave, RankRecord{rank, record}});
}

/// Half of the rank's n-th message, in step n: milliseconds since the beginning of that step.
void addHalf(FakeRunFile& file, std::int64_t rank, std::uint16_t op, std::int64_t peer, std::int64_t n,
             std::int64_t enter_ms, std::int64_t leave_ms) {
  const std::int64_t begin = file.now() + n * 100 * FakeRunFile::kMs;
  sl_record record{};
  record.op = op;
  record.step = static_cast<std::uint32_t>(n);
  record.seq = static_cast<std::uint64_t>(n);
  record.b = sl_operation(1, static_cast<std::uint32_t>(peer));
  for (const bool leaves : {false, true}) {
    record.kind = leaves ? SL_COLL_LEAVE : SL_COLL_ENTER;
    const std::int64_t time = begin + (leaves ? leave_ms : enter_ms) * FakeRunFile::kMs;
    record.time_ns = static_cast<std::uint64_t>(time);
    file.add({time, RankRecord{rank, record}});
  }
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
  CHECK_FALSE(times[2].isPredicted());
  CHECK(differenceOf(times[2]).reason == Reason::None);
  CHECK(times[2].link_bytes_per_s == doctest::Approx(3e9));  // 2 x 3 quarters of the bytes in 2 ms
  const std::string text = words::phasesText(times);
  CHECK(text.find("schedule[0] load: ") != std::string::npos);
  CHECK(text.find("Rank 2 takes ") != std::string::npos);
  CHECK(text.find("measured; the design does not say how long it takes.") != std::string::npos);
  const std::string first = words::phasesText(times, 1);
  CHECK(first.find("schedule[0] load: ") != std::string::npos);
  CHECK(first.find("\nand 2 more: shardlens replay") != std::string::npos);
  CHECK(first.find("compute") == std::string::npos);
}

TEST_CASE("of more phases than fit, those with a reason are named first") {
  const PhaseTime as_planned = phaseTime(schedule::Kind::Load, {{0, 2, 2, 20}}, 1);
  const PhaseTime longer = phaseTime(schedule::Kind::Compute, {{0, 9, 2, 20}}, 1);
  const std::string text = words::phasesText({as_planned, longer}, 1);
  CHECK(text.find("] compute: ") != std::string::npos);
  CHECK(text.find("] load: ") == std::string::npos);
}

TEST_CASE("a collective that takes longer than its design says has a reason") {
  const auto times = timesOf(planWith({{.what = "all_reduce", .ms = 0.5}}));
  CHECK(differenceOf(times[0]).predicted_ms == doctest::Approx(0.5));
  CHECK(differenceOf(times[0]).reason == Reason::LongerCollective);
  CHECK(words::phaseText(times[0]).find("although all of its ranks had come") != std::string::npos);
}

TEST_CASE("a broadcast takes time since its last receiver was there") {
  const Plan plan = planWith({{.what = "broadcast"}});
  const auto times = timesOfRun(plan, plan, [](FakeRunFile& file) {
    for (std::int64_t step = 0; step < 8; ++step) {
      for (std::int64_t rank = 0; rank < 4; ++rank) addCall(file, rank, SL_OP_BROADCAST, step, step);
    }
  });
  REQUIRE(times);
  REQUIRE(times->front().ranks.size() == 4);
  for (const RankPhaseTime& rank : times->front().ranks) CHECK(rank.ms == doctest::Approx(3));
}

TEST_CASE("a message takes time since both of its ranks were there, and a send that did not wait is not measured") {
  for (const bool waits : {true, false}) {
    for (const bool is_mixed : {false, true}) {
      CAPTURE(waits);
      CAPTURE(is_mixed);
      Phases phases = {{.what = "send", .condition = "rank % 2 == 0"},
                       {.what = "recv", .condition = "rank % 2 == 1", .peer = std::string("previous")}};
      if (is_mixed) phases.push_back({.what = "send", .condition = "rank % 2 == 0", .group = "data"});
      PipelineSpec spec = planWith(std::move(phases)).spec();
      spec.world.groups.pipeline = 2;  // data: ranks 0 and 1, 2 and 3
      const Plan plan = Plan::make(spec).value();
      const auto times = timesOfRun(plan, plan, [waits](FakeRunFile& file) {
        for (std::int64_t n = 0; n < 8; ++n) {
          for (const std::int64_t rank : {0, 2}) {
            addHalf(file, rank, SL_OP_SEND, rank + 1, n, 0, waits ? 53 : 4);
            addHalf(file, rank + 1, SL_OP_RECV, rank, n, 50, 53);
          }
        }
      });
      REQUIRE(times);
      const PhaseTime& send = times->at(0);
      const PhaseTime& recv = times->at(1);
      REQUIRE(recv.ranks.size() == 2);
      CHECK(recv.ranks.front().rank == 1);
      CHECK(recv.steps() == 2 * 7);
      CHECK(recv.usualMs() == doctest::Approx(3));
      CHECK(send.are_alike == (is_mixed && waits));
      REQUIRE(send.ranks.empty() == (is_mixed || !waits));
      if (!send.ranks.empty()) CHECK(send.usualMs() == doctest::Approx(3));
    }
  }
}

TEST_CASE("messages of a rank are told apart by when it began them, whichever pair is through first") {
  const Plan plan = planWith({{.what = "recv", .condition = "rank == 0", .peer = std::int64_t{1}},
                              {.what = "recv", .condition = "rank == 0", .peer = std::int64_t{2}}});
  const auto times = timesOfRun(plan, plan, [](FakeRunFile& file) {
    for (std::int64_t n = 0; n < 8; ++n) {
      addHalf(file, 0, SL_OP_RECV, 1, n, 0, 10);
      addHalf(file, 2, SL_OP_SEND, 0, n, 10, 15);
      addHalf(file, 0, SL_OP_RECV, 2, n, 10, 15);
      addHalf(file, 1, SL_OP_SEND, 0, n, 0, 30);
    }
  });
  REQUIRE(times);
  CHECK(times->at(0).usualMs() == doctest::Approx(10));
  CHECK(times->at(1).usualMs() == doctest::Approx(5));
}

TEST_CASE("passes that tell the same epoch are not added up") {
  const Plan plan = planWith({{.what = "ddp"}});
  const auto times = timesOfRun(plan, plan, [](FakeRunFile& file) {
    for (std::int64_t pass = 0; pass < 3; ++pass) {
      for (std::int64_t step = 0; step < 8; ++step) file.step(0, step, 2);
    }
  });
  REQUIRE(times);
  CHECK((*times)[0].slowest().ms == doctest::Approx(30));
  CHECK((*times)[1].usualMs() == doctest::Approx(10));
  CHECK((*times)[2].usualMs() == doctest::Approx(2));
  for (const PhaseTime& time : *times) CHECK(time.steps() == 4 * 3 * 7);
}

TEST_CASE("a collective that is told late counts in the pass in which it was called") {
  const Plan plan = planWith({{.what = "all_reduce"}});
  const auto times = timesOfRun(plan, plan, [](FakeRunFile& file) {
    for (std::int64_t n = 0; n <= 16; ++n) {
      for (std::int64_t rank = 0; rank < 3 && n < 16; ++rank) addCall(file, rank, SL_OP_ALLREDUCE, n, n % 8);
      if (n > 0) addCall(file, 3, SL_OP_ALLREDUCE, n - 1, (n - 1) % 8);
    }
  });
  REQUIRE(times);
  const PhaseTime& time = times->front();
  CHECK(time.steps() == 4 * 2 * 7);
  for (const RankPhaseTime& rank : time.ranks) CHECK(rank.ms == doctest::Approx(3));
}

TEST_CASE("nothing is measured in a job that tells no steps") {
  const Plan plan = planWith({{.what = "ddp"}});
  const auto times = timesOfRun(plan, plan, [](FakeRunFile& file) {
    for (int i = 0; i < 20; ++i) file.step(0, 0, 2);
  });
  REQUIRE(times);
  for (const PhaseTime& time : *times) {
    CHECK(time.ranks.empty());
    CHECK_FALSE(time.are_alike);
  }
}

TEST_CASE("at least half of all ranks that do a phase must be known to take longer") {
  PhaseTime time = phaseTime(schedule::Kind::Load, {{0, 10, 2, 20}, {1, 10, 2, 20}}, 4);
  CHECK(differenceOf(time).reason == Reason::LongerLoad);
  time.ranks_doing = 5;
  CHECK(differenceOf(time).reason == Reason::None);
}

TEST_CASE("a rank is slow only where most of its steps are, and of two ranks both are named") {
  PhaseTime time = phaseTime(schedule::Kind::Compute, {{0, 10, 10, 20}, {1, 30, 10, 20, 15}}, 2);
  CHECK(differenceOf(time).reason == Reason::SlowRank);
  const std::string text = words::phaseText(time);
  CHECK(text.find("Rank 1 takes ") != std::string::npos);
  CHECK(text.find(", rank 0 takes ") != std::string::npos);
  time.ranks_doing = 3;
  time.ranks[1].mostly_longer_ms = 0;
  CHECK(differenceOf(time).reason == Reason::None);
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
  CHECK((both[0].are_alike && both[1].are_alike));
  CHECK_FALSE(both[3].are_alike);
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
