// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/launched_job.h"

#include "tests/integration/job.h"
#include "tests/support/json_schema.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <vector>

namespace shardlens::test {
namespace {

using nlohmann::json;

std::vector<std::int64_t> ranksOf(const json& replay, const std::string& kind) {
  for (const json& verdict : replay["verdicts"]) {
    if (verdict["kind"] == kind) return verdict["ranks"];
  }
  return {};
}

std::vector<std::string> under(const std::string& launcher, const std::vector<std::string>& command = {}) {
  // A launcher that ends the other ranks itself has to say before that which one failed.
  std::vector<std::string> words = {"--launcher", launcher, "--grace", launcher == "plain" ? "1" : "5"};
  if (!command.empty()) words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

void checkGoodEndWithSlowRank(const std::string& launcher) {
  // 96 steps, as in run_well.
  RunningJob job(specOf(3, 288, "load_ms: 2, compute_ms: 3, gradient_kb: 10, delays: [{rank: 1, ms: 50}]"),
                 under(launcher));
  CHECK(job.wait() == 0);
  INFO(job.output(), job.errors());
  CHECK(job.leftovers() == "");
  const auto [code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(code == 0);
  CHECK(proof["result"] == "match");
  const json replay = jsonOf("replay " + job.runFile()).second;
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  for (const json& rank : replay["ranks"]) {
    CHECK(rank["state"] == "done");
    CHECK(rank["steps"] == 96);
    CHECK(rank["records_missing"] == false);
  }
  CHECK(ranksOf(replay, "straggler") == std::vector<std::int64_t>{1});
  CHECK(replay["ranks"][0]["wait_s"] > replay["ranks"][1]["wait_s"]);
}

void checkDeadRank(const std::string& launcher) {
  RunningJob job(specOf(3, 6'000), under(launcher));
  const RunState state = job.await([](const RunState& now) {
    return !now.ranks.empty() &&
           std::all_of(now.ranks.begin(), now.ranks.end(), [](const RankState& rank) { return rank.steps_done > 1; });
  });
  REQUIRE(state.ranks.size() == 3);
  REQUIRE(state.ranks[1].pid > 0);
  REQUIRE(kill(static_cast<pid_t>(state.ranks[1].pid), SIGKILL) == 0);
  CHECK(job.wait() == 4);
  INFO(job.output(), job.errors());
  const json replay = jsonOf("replay " + job.runFile()).second;
  CHECK(replay["status"] == "failed");
  CHECK(ranksOf(replay, "dead") == std::vector<std::int64_t>{1});
  CHECK(replay["verdicts"][0]["message"].get<std::string>().find("SIGKILL") != std::string::npos);
  CHECK(job.leftovers() == "");
}

void checkStop(const std::string& launcher) {
  RunningJob job(specOf(2, 6'000), under(launcher));
  (void)job.await([](const RunState& now) { return !now.ranks.empty() && now.ranks[0].steps_done > 1; });
  job.processes();
  job.signal(SIGINT);
  CHECK(job.wait() == 4);
  INFO(job.output(), job.errors());
  const json replay = jsonOf("replay " + job.runFile()).second;
  CHECK(replay["status"] == "stopped");
  CHECK(ranksOf(replay, "dead").empty());
  CHECK(job.leftovers() == "");
}

void checkFailingCommand(const std::string& launcher) {
  RunningJob failing(specOf(3, 36),
                     under(launcher, {"sh", "-c",
                                      "cd \"$SHARDLENS_JOB_DIR\"; echo rank $RANK of $WORLD_SIZE; >said$RANK; "
                                      "if [ $RANK = 1 ]; then until [ -e said2 ]; do sleep 0.02; done; "
                                      "echo out of cheese >&2; exit 7; fi; exec sleep 1000"}));
  CHECK(failing.wait() == 4);
  INFO(failing.output(), failing.errors());
  CHECK(failing.output().find("Rank 1 ended with code 7: out of cheese") != std::string::npos);
  CHECK(failing.output().find("[rank 2] rank 2 of 3\n") != std::string::npos);
  CHECK(failing.errors().find("[rank 1] out of cheese\n") != std::string::npos);
}

}  // namespace

void checkLauncher(const std::string& launcher) {
  CAPTURE(launcher);
  checkGoodEndWithSlowRank(launcher);
  checkDeadRank(launcher);
  checkStop(launcher);
  checkFailingCommand(launcher);
}

}  // namespace shardlens::test
