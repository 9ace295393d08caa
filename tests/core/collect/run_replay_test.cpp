// SPDX-License-Identifier: Apache-2.0
#include "core/collect/run_replay.h"

#include "core/collect/observed_ranks.h"
#include "core/collect/recording_facts.h"
#include "core/record/recording_writer.h"
#include "core/sampling/registry.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/capture/probe_text.h"
#include "tests/core/record/sample_run.h"
#include "tests/support/fake_run_file.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace shardlens;
using namespace shardlens::test;

namespace {

PipelineSpec spec() {
  PipelineSpec spec;
  spec.name = "fake";
  spec.dataset.size = 64;
  spec.world.ranks_per_node = 4;
  return spec;  // 4 ranks, 8 steps of 2 samples, 2 epochs
}

/// A whole recording; rank 1 consumes another batch than planned in the last step.
std::filesystem::path recording(const TempFolder& folder, const Plan& plan) {
  const auto path = folder / "run.slrun";
  FakeRunFile file(path, plan, yaml::writeSpec(spec(), sampling::catalogue()));
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    for (std::int64_t step = 0; step < 8; ++step) file.step(epoch, step, -1, epoch == 1 && step == 7 ? 1 : -1);
  }
  file.bye();
  file.end();
  return path;
}

constexpr double kHoursMs = 3 * 3600e3;

Event line(double ms, std::int64_t rank) {
  return {at(ms), LogLine{rank, false, "at " + std::to_string(static_cast<int>(ms))}};
}

/// Host a begins and ends the run and says a line each 100 ms; host b's clock reads three hours more, and it says one
/// 50 ms after each of a's. One second long.
std::filesystem::path twoClocks(const TempFolder& folder, const std::vector<Event>& first_of_b) {
  std::vector<Event> of_a = {begin(2)};
  std::vector<Event> of_b = first_of_b;
  for (int i = 0; i < 10; ++i) {
    of_a.push_back(line(i * 100, 0));
    of_b.push_back(line(kHoursMs + i * 100 + 50, 1));
  }
  of_a.push_back({at(1000), RunEnd{}});
  const auto earlier_ns = -static_cast<std::int64_t>(kHoursMs * 1e6);
  return recordingOf(folder / "run.slrun",
                     {segmentOf(of_a, farRecorder("a")), segmentOf(of_b, farRecorder("b", earlier_ns))});
}

std::int64_t linesOf(const RunState& state, std::int64_t rank) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < state.log.size(); ++i) count += state.log[i].rank == rank ? 1 : 0;
  return count;
}

void checkSeeking(RunReplay& replay) {
  const auto to = [&replay](std::int64_t ms) {
    while (replay.advance(ms * 1'000'000, {})) {
    }
    CHECK(replay.now() <= ms * 1'000'000);
  };
  to(420);
  CHECK(linesOf(replay.state(), 0) == 5);
  CHECK(linesOf(replay.state(), 1) == 4);
  to(460);
  CHECK(linesOf(replay.state(), 1) == 5);
  replay.toEnd();
  CHECK(linesOf(replay.state(), 0) == 10);
  CHECK(linesOf(replay.state(), 1) == 10);
  CHECK(replay.newest() == 1'000'000'000);
}

}  // namespace

TEST_CASE("a recording says what it is, and nothing that is not in it") {
  const TempFolder folder;
  const Plan plan = Plan::make(spec()).value();
  const auto path = recording(folder, plan);
  const auto facts = readRecordingFacts(path);
  REQUIRE(facts.has_value());
  CHECK(facts->name == "fake");
  CHECK(facts->ranks == 4);
  CHECK(facts->outcome == JobStatus::Finished);
  CHECK(facts->elapsed_ns.value() > 0);
  CHECK(facts->planned == 64);
  CHECK(facts->matched == 63);
  CHECK(facts->mismatched == 1);
  CHECK_FALSE(facts->started_unix_ns.has_value());  // this one does not say
  CHECK_FALSE(facts->is_damaged);
  const std::string before = recordingStamp(path);
  CHECK(recordingStamp(path) == before);
  const auto segment = std::filesystem::directory_iterator(path)->path();
  spill(segment, slurp(segment).substr(0, 2000));  // cut off
  CHECK(recordingStamp(path) != before);
  const auto cut = readRecordingFacts(path);
  REQUIRE(cut.has_value());
  CHECK(cut->outcome != JobStatus::Finished);
  spill(folder / "note.txt", "not a recording");
  CHECK_FALSE(readRecordingFacts(folder / "note.txt").has_value());
}

TEST_CASE("the overview of a replay has every step of every rank") {
  const TempFolder folder;
  const Plan plan = Plan::make(spec()).value();
  auto replay = RunReplay::open(recording(folder, plan));
  REQUIRE(replay.has_value());
  CHECK_FALSE(replay->overview().has_value());
  replay->keepOverview();
  replay->toEnd();
  const auto overview = replay->overview();
  REQUIRE(overview.has_value());
  CHECK(overview->steps.size() == 16);
  CHECK(overview->lanes.lanes.size() == 4);
  CHECK(overview->resolution_ns == 0);
}

TEST_CASE("a recording is replayed to its end with its plan, its proof and its spans") {
  const TempFolder folder;
  const Plan plan = Plan::make(spec()).value();
  std::int64_t loads = 0;
  auto replay = RunReplay::open(recording(folder, plan), [&loads](std::int64_t /*rank*/, const Span& span) {
    loads += span.phase == Phase::Load ? 1 : 0;
  });
  REQUIRE(replay);
  CHECK_FALSE(replay->begun());
  CHECK(replay->facts() == nullptr);
  replay->toEnd();
  CHECK(replay->ended());
  CHECK(replay->note() == "");
  const RunState state = replay->state();
  CHECK(state.status == JobStatus::Finished);
  CHECK(state.ranks[0].matched == 16);
  CHECK(state.ranks[1].mismatched == 1);
  CHECK(loads == 64);
  REQUIRE(replay->facts() != nullptr);
  CHECK(replay->facts()->planned_batches == 64);
  CHECK(replay->facts()->epoch_starts == std::vector<std::int64_t>{0, 8, 16});
  CHECK(replay->proof().at(0, 15) == BatchMark::Match);
  CHECK(replay->proof().at(1, 15) == BatchMark::Mismatch);
}

TEST_CASE("a replay measures the phases of the recording's schedule while it reads") {
  for (const bool has_schedule : {true, false}) {
    CAPTURE(has_schedule);
    const TempFolder folder;
    PipelineSpec timed = spec();
    if (has_schedule) timed.schedule = {{.what = "load"}, {.what = "all_reduce", .ms = 1}};
    const Plan plan = Plan::make(timed).value();
    const auto path = folder / "run.slrun";
    FakeRunFile file(path, plan, yaml::writeSpec(timed, sampling::catalogue()));
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
      for (std::int64_t step = 0; step < 8; ++step) file.step(epoch, step, 2);
    }
    file.bye();
    file.end();
    auto replay = RunReplay::open(path);
    REQUIRE(replay);
    replay->keepPhases();
    replay->toEnd();
    const auto phases = replay->phases();
    REQUIRE(phases.has_value() == has_schedule);
    if (!has_schedule) continue;
    REQUIRE(*phases);
    const auto again = measuredPhases(plan, path);
    REQUIRE(again);
    CHECK((*phases)->size() == 2);
    CHECK(words::phasesText(**phases) == words::phasesText(*again));
  }
}

TEST_CASE("a replay stands still at the moment that was asked for, and goes on from there") {
  const TempFolder folder;
  const Plan plan = Plan::make(spec()).value();
  auto replay = RunReplay::open(recording(folder, plan));
  REQUIRE(replay);
  constexpr std::int64_t kMoment = 100'000'000;
  while (replay->advance(kMoment, {})) {
  }
  CHECK(replay->now() <= kMoment);
  const std::int64_t done = replay->state().ranks[0].steps_done;
  CHECK(done > 2);
  CHECK(done < 8);
  replay->toEnd();
  CHECK(replay->now() > kMoment);
  CHECK(replay->state().ranks[0].steps_done == 16);
}

TEST_CASE("a recording without an end is lost only when nobody writes it any more") {
  const TempFolder folder;
  const Plan plan = Plan::make(spec()).value();
  const auto path = folder / "run.slrun";
  {
    FakeRunFile file(path, plan, yaml::writeSpec(spec(), sampling::catalogue()));
    file.step(0, 0);
    auto growing = RunReplay::open(path);
    REQUIRE(growing);
    growing->toEnd();  // this process records, and is alive
    CHECK(growing->isBeingWritten());
    CHECK(growing->state().status == JobStatus::Running);
  }
  auto replay = RunReplay::open(path);
  REQUIRE(replay);
  replay->toEnd();
  CHECK_FALSE(replay->isBeingWritten());
  CHECK(replay->state().status == JobStatus::Unknown);
  CHECK_FALSE(replay->state().failure.empty());
}

TEST_CASE("a replay stands still at one moment of all hosts, however far apart their clocks are") {
  const TempFolder folder;
  const auto offset_ns = static_cast<std::int64_t>(kHoursMs * 1e6);
  auto replay = RunReplay::open(twoClocks(folder, {{at(kHoursMs), RunClock{0, "b", ClockOffset{offset_ns, 1000}}}}));
  REQUIRE(replay);
  checkSeeking(*replay);
  CHECK(replay->state().clock_error_us == 1);
}

TEST_CASE("without a measured offset a host's first event comes when it is read, and its others at their distance") {
  const TempFolder folder;
  auto replay = RunReplay::open(twoClocks(folder, {line(kHoursMs, 1)}));
  REQUIRE(replay);
  while (replay->advance(420'000'000, {})) {
  }
  CHECK(linesOf(replay->state(), 0) == 5);
  CHECK(linesOf(replay->state(), 1) == 5);
  CHECK(replay->now() <= 420'000'000);
  replay->toEnd();
  CHECK(linesOf(replay->state(), 1) == 11);
  CHECK(replay->newest() == 1'000'000'000);
  CHECK_FALSE(replay->state().clock_error_us);
}

TEST_CASE("of a command none of whose ranks speaks, the probes' files say the ranks") {
  const TempFolder folder;
  const auto path = folder / "run.slrun";
  auto writer = RecordingWriter::create(path);
  REQUIRE(writer);
  RunBegin begin;
  begin.reports = false;
  writer->add({1, begin});
  writer->add({2'000'000'000, RunEnd{}});
  REQUIRE(writer->flush());
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    if (rank == 1) continue;  // its process wrote nothing
    ProbeText text(rank, 3, 3);
    text.loader(0, rank, 3);
    text.pass(0, 0, 0, 0);
    text.batches(0, 0, {{0, 1}});
    text.news(0, 1, 1);
    if (rank == 0) text.end();
    spill(path / ("h-" + std::to_string(100 + rank) + ".slprobe"), text.bytes());
  }
  auto replay = RunReplay::open(path);
  REQUIRE(replay);
  replay->toEnd();
  const RunState state = replay->state();
  CHECK(state.world_size == 3);
  REQUIRE(state.ranks.size() == 3);
  CHECK(state.ranks[0].status == RankStatus::Done);
  CHECK(state.ranks[0].pid == 100);
  CHECK(state.ranks[1].status == RankStatus::Unheard);
  CHECK(state.ranks[2].status == RankStatus::Ended);
  CHECK(!state.ranks[2].is_measured);
  CHECK(state.recent.lanes.size() == 3);
  CHECK(readRecordingFacts(path).value().ranks == 3);
  auto again = RunReplay::open(path);
  again->shareObserved(*replay);
  (void)again->advance(0, {});
  CHECK(again->state().world_size == 3);

  RunState failed;
  failed.status = JobStatus::Failed;
  addObserved(state.ranks, failed);
  CHECK(failed.ranks[0].status == RankStatus::Ended);  // perhaps after an exception
}
