// SPDX-License-Identifier: Apache-2.0
// Commands as they were typed, whose ranks are known from their rings alone.
#include "core/base/result.h"
#include "core/collect/job.h"
#include "core/collect/recording_facts.h"
#include "core/collect/run_replay.h"
#include "core/collect/supervisor.h"
#include "tests/support/places.h"
#include "tests/support/temp_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;

namespace {

const std::string kRanks = test::binDir() + "/ring_ranks";

/// A command that was run and recorded: the state it ended in, live and read again.
struct Ran {
  TempFolder folder;
  RunState live;
  RunState replayed;
  std::size_t lanes = 0;  ///< of the whole run

  explicit Ran(std::vector<std::string> command, const std::function<void(const RunState&)>& on_state = {}) {
    JobRequest request;
    request.command = std::move(command);
    request.run_file = (folder / "run.slrun").string();
    auto job = makeCommandJob(request);
    REQUIRE(job);
    auto writer = RecordingWriter::create(request.run_file);
    REQUIRE(writer);
    {
      Watcher watcher;
      watcher.on_state = on_state;
      Supervisor supervisor(*std::move(job), *std::move(writer), std::move(watcher));
      live = supervisor.run();
    }
    auto replay = RunReplay::open(request.run_file);
    REQUIRE(replay);
    replay->keepOverview();
    replay->toEnd();
    replayed = replay->state();
    lanes = replay->overview()->lanes.lanes.size();
  }
};

bool isTitled(const RunState& state, const std::string& title) {
  return std::any_of(state.verdicts.begin(), state.verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.title == title; });
}

}  // namespace

TEST_CASE("the ranks of a command are found, live and in its recording") {
  const Ran run({kRanks, "3", "5"});  // too few barriers to judge who is slow
  for (const RunState* state : {&run.live, &run.replayed}) {
    CHECK(state->status == JobStatus::Finished);
    CHECK(state->reports);
    CHECK(state->world_size == 3);
    REQUIRE(state->ranks.size() == 3);
    for (const RankState& rank : state->ranks) {
      CHECK(rank.status == RankStatus::Done);
      CHECK(rank.collectives == 5);
      CHECK(rank.pid > 0);
    }
    CHECK(state->verdicts.empty());
  }
  CHECK(run.lanes == 3);
}

TEST_CASE("a command without ranks still reports nothing") {
  const Ran run({"true"});
  CHECK(run.live.status == JobStatus::Finished);
  CHECK_FALSE(run.live.reports);
  CHECK(run.replayed.world_size == 0);
}

TEST_CASE("of a command that starts ranks twice, the first start is shown, and that it is") {
  const Ran run({"sh", "-c", kRanks + " 2 10; " + kRanks + " 2 30"});
  for (const RunState* state : {&run.live, &run.replayed}) {
    REQUIRE(state->world_size == 2);
    CHECK(state->ranks[0].collectives == 10);
    CHECK(isTitled(*state, "Not all ranks of this command are shown"));
  }
}

TEST_CASE("a second start of another size is not mixed in") {
  const Ran run({"sh", "-c", kRanks + " 2 10; " + kRanks + " 4 30"});
  REQUIRE(run.replayed.world_size == 2);
  for (const RankState& rank : run.replayed.ranks) CHECK(rank.collectives == 10);
  CHECK(isTitled(run.replayed, "Not all ranks of this command are shown"));
}

TEST_CASE("a command is neither ended nor said to have failed because a rank of it is gone") {
  const TempFolder folder;
  const std::string go = (folder / "go").string();
  const Ran run({"sh", "-c", kRanks + " 2 5 1; until [ -e '" + go + "' ]; do sleep 0.02; done"},
                [&go](const RunState& state) {
                  if (state.ranks.size() == 2 && state.ranks[1].status == RankStatus::Ended) spill(go, "");
                });
  CHECK(run.live.status == JobStatus::Finished);
  CHECK(run.live.exit_code == kFine);
  CHECK(run.live.ranks[1].status == RankStatus::Ended);
  CHECK(run.replayed.ranks[1].status == RankStatus::Ended);
  CHECK(run.replayed.verdicts.empty());
}
