// SPDX-License-Identifier: Apache-2.0
// Real jobs of which something is not heard: all ranks hang before they report, a rank cannot be measured, progress
// bars are drawn over, and who reads a recording cannot see its recorder.
#include "tests/integration/job.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;

namespace {

/// A job of two ranks that are this shell script.
std::vector<std::string> ranks(const std::string& script) {
  return {"--launcher", "plain", "--grace", "1", "--", "sh", "-c", script};
}

const std::string kSocketRank = "exec '" + test::binDir() + "/socket_rank' --spec \"$SHARDLENS_JOB_DIR/spec.yaml\"";

bool isTold(const RunState& state, const std::string& title) {
  return std::ranges::any_of(state.verdicts, [&](const Verdict& verdict) { return verdict.title == title; });
}

json replayOf(const RunningJob& job) {
  json replay = jsonOf("replay " + job.runFile()).second;
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  return replay;
}

void checkUnmeasured(const json& rank) {
  CAPTURE(rank.dump());
  CHECK(rank["measured"] == false);
  for (const char* key : {"epoch", "step", "steps", "samples", "collectives", "load_s", "compute_s", "wait_s",
                          "transfer_s", "matched", "mismatched"})
    CHECK_MESSAGE(rank[key].is_null(), key);
}

}  // namespace

TEST_CASE("a job that hangs before its ranks report is said to hang, and no number of a rank is made up") {
  const TempFolder folder;
  spill(folder / "mpirun",
        "#!/bin/sh\ncase \"$1\" in --version|-V) exec echo 'mpirun (Open MPI) 4.1.4';; esac\nexec sleep 600\n");
  std::filesystem::permissions(folder / "mpirun", std::filesystem::perms::owner_all);
  RunningJob job(specOf(2, 16), {"--launcher", "mpirun", "--grace", "1"}, folder.path().string() + ":/usr/bin:/bin");
  const RunState hanging = job.await([](const RunState& state) { return isTold(state, "No rank has reported yet"); });
  CHECK(isTold(hanging, "No rank has reported yet"));
  job.processes();
  job.signal(SIGINT);
  job.wait();
  CHECK(job.leftovers() == "");
  const json replay = replayOf(job);
  REQUIRE(replay["ranks"].size() == 2);
  for (const json& rank : replay["ranks"]) checkUnmeasured(rank);
}

TEST_CASE("a rank that could not be measured makes the proof incomplete, and is not accused") {
  // What a full /dev/shm does to it: its ring cannot be made.
  RunningJob job(specOf(2, 64), ranks("if [ \"$RANK\" = 1 ]; then trap '' XFSZ; ulimit -f 0; fi; " + kSocketRank));
  CHECK(job.wait() == 1);  // as verify below
  CHECK(job.leftovers() == "");
  const json replay = replayOf(job);
  REQUIRE(replay["ranks"].size() == 2);
  CHECK(replay["ranks"][0]["measured"] == true);
  CHECK(replay["ranks"][0]["steps"].get<int>() > 0);
  checkUnmeasured(replay["ranks"][1]);
  const auto [code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(code == 1);
  CHECK(proof["result"] == "incomplete");
  CHECK(proof["first_difference"].is_null());
}

TEST_CASE("progress bars of a job are lines as a terminal shows them at their end") {
  RunningJob job(
      specOf(2, 16),
      ranks("for i in 1 2 3 4 5 6 7 8 9; do printf '\\r%d0%%|####' $i >&2; done; printf '\\rdone   \\n' >&2; "
            "printf 'Loading data\\rEpoch 0\\n'; printf 'no end\\r'"));
  const RunState state = job.await([](const RunState&) { return false; });
  CHECK(job.wait() == 0);
  std::vector<std::string> of_rank;
  for (std::size_t i = 0; i < state.log.size(); ++i) {
    if (state.log[i].rank == 1) of_rank.push_back(state.log[i].text);
  }
  for (const char* line : {"done   #", "Epoch 0 data", "no end"})
    CHECK_MESSAGE(std::ranges::count(of_rank, line) == 1, line);
}

TEST_CASE("in another PID namespace a running job is not said to have ended") {
  const std::string enter = "unshare --user --map-root-user --pid --fork --mount-proc ";
  if (runShell(enter + "true 2>&1").code != 0) {
    MESSAGE("not tried: this machine lets nobody make a PID namespace");
    return;
  }
  RunningJob job(specOf(2, 16), ranks("echo ready; exec sleep 600"));
  job.await([](const RunState& state) { return state.log.size() >= 2; });
  const auto seen = runShell(enter + test::binDir() + "/shardlens replay " + job.runFile() + " --format json");
  const json replay = json::parse(seen.out, nullptr, false);
  REQUIRE(replay.is_object());
  CHECK(replay["status"] != "failed");
  CHECK(replay["status"] != "finished");
  for (const json& verdict : replay["verdicts"]) CHECK(verdict["kind"] != "lost");
  job.processes();
  job.signal(SIGINT);
  job.wait();
  CHECK(job.leftovers() == "");
}
