// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/job.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <csignal>
#include <sched.h>
#include <string>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;

namespace {

const std::string kExamples = test::sourceDir() + "/resources/examples/";

/// Rank `rank` is late in each of 96 steps. In a quarter of them a busy host hides it: it always comes last, but by
/// times that vary too much to name it.
std::string slowed(int ranks, int rank) {
  return specOf(ranks, 96 * ranks,
                "load_ms: 2, compute_ms: 3, gradient_kb: 10, delays: [{rank: " + std::to_string(rank) +
                    ", ms: 50, phase: load}]");
}

bool isRunning(const RunState& state) {
  return state.status == JobStatus::Running;
}

json verdictOf(const json& replay, const std::string& kind) {
  for (const json& verdict : replay["verdicts"]) {
    if (verdict["kind"] == kind) return verdict;
  }
  return {};
}

/// As long as it lives, this process and what it starts have one core.
class OneCore {
 public:
  OneCore() {
    REQUIRE(sched_getaffinity(0, sizeof(all_), &all_) == 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t core = 0; CPU_COUNT(&one) == 0; ++core) {
      if (CPU_ISSET(core, &all_)) CPU_SET(core, &one);
    }
    REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { sched_setaffinity(0, sizeof(all_), &all_); }

 private:
  cpu_set_t all_{};
};

}  // namespace

TEST_CASE("the seed example runs, matches its plan in every batch, and leaves nothing") {
  if (!hasMpirun()) return;
  RunningJob job(slurp(kExamples + "distributed-sampler.yaml"), {"--launcher", "mpirun"});
  (void)job.await(isRunning);
  job.processes();
  REQUIRE(job.wait() == 0);
  CHECK(job.leftovers() == "");
  CHECK(job.output().find("16 batches, all as planned") != std::string::npos);
  CHECK(job.output().find("shardlens verify ") != std::string::npos);

  const auto [code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(code == 0);
  CHECK(schemaProblems(proof, "verify.schema.json") == "");
  CHECK(proof["result"] == "match");
  CHECK(proof["checked_batches"] == 16);

  const auto [replay_code, replay] = jsonOf("replay " + job.runFile());
  CHECK(replay_code == 0);
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  REQUIRE(replay["ranks"].size() == 2);
  for (const json& rank : replay["ranks"]) {
    CHECK(rank["steps"] == 8);
    CHECK(rank["collectives"] == 10);
    CHECK(rank["matched"] == 8);
    CHECK(rank["state"] == "done");
  }
  CHECK(replay["dropped"] == 0);
}

TEST_CASE("a run is proven against another plan, and told apart from it") {
  if (!hasMpirun()) return;
  RunningJob job(slurp(kExamples + "distributed-sampler.yaml"));
  REQUIRE(job.wait() == 0);
  const auto [code, proof] = jsonOf("verify " + kExamples + "distributed-sampler-no-set-epoch.yaml " + job.runFile());
  CHECK(code == 1);
  CHECK(proof["result"] == "mismatch");
  CHECK(proof["first_difference"] == json{{"rank", 0}, {"epoch", 1}, {"step", 0}});
  CHECK(proof["spec_differs_in"] == json{"sampler.set_epoch", "seeds.rule"});
  const auto text = runShell(test::binDir() + "/shardlens verify " + kExamples +
                             "distributed-sampler-no-set-epoch.yaml " + job.runFile());
  CHECK(text.out.find("mismatch: Rank 0, epoch 1, step 0 has other samples than planned") == 0);
}

TEST_CASE("a slowed rank is named, with its phase; the trace opens; the live state is the replayed one") {
  if (!hasMpirun()) return;
  RunningJob job(slowed(2, 1));
  const RunState live = job.await([](const RunState& state) { return state.status == JobStatus::Finished; });
  REQUIRE(job.wait() == 0);
  const auto [code, replay] = jsonOf("replay " + job.runFile() + " --export " + job.runFile() + ".json");
  REQUIRE(code == 0);
  INFO("verdicts: " << replay["verdicts"].dump() << "\narrivals: " << replay["arrivals"].dump());
  const json straggler = verdictOf(replay, "straggler");
  REQUIRE(straggler.is_object());
  CHECK(straggler["rank"] == 1);
  CHECK(straggler["message"].get<std::string>().find("loading a batch") != std::string::npos);
  CHECK(straggler["cost"].get<double>() > 0.3);
  CHECK(replay["ranks"][0]["wait_s"].get<double>() > replay["ranks"][1]["wait_s"].get<double>());
  CHECK(replay["ranks"][0]["wait_s"].get<double>() ==
        doctest::Approx(static_cast<double>(live.ranks[0].wait_ns) / 1e9));

  const json trace = json::parse(slurp(job.runFile() + ".json"), nullptr, false);
  REQUIRE(trace.is_object());
  std::size_t loads = 0;
  for (const json& event : trace["traceEvents"]) loads += event["name"] == "load" ? 1 : 0;
  CHECK(loads == 192);
}

TEST_CASE("more ranks than cores, on nodes that are one host, run and are said to be") {
  if (!hasMpirun()) return;
  const OneCore one_core;
  std::string spec = specOf(1, 16);
  spec.replace(spec.find("nodes: 1"), 8, "nodes: 2");
  RunningJob job(spec);
  REQUIRE(job.wait() == 0);
  CHECK(job.leftovers() == "");
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  CHECK(replay["oversubscribed"] == true);
  CHECK(replay["ranks"].size() == 2);
  CHECK(job.errors().find("waits include CPU scheduling") != std::string::npos);
  CHECK(job.errors().find("2 nodes are emulated on one host") != std::string::npos);
}

TEST_CASE("two jobs at once do not meet") {
  if (!hasMpirun()) return;
  RunningJob first(specOf(2, 64));
  RunningJob second(specOf(2, 64));
  (void)first.await(isRunning);
  (void)second.await(isRunning);
  first.processes();
  second.processes();
  CHECK(first.wait() == 0);
  CHECK(second.wait() == 0);
  CHECK(first.leftovers() == "");
  CHECK(second.leftovers() == "");
  CHECK(jsonOf("verify " + first.specFile() + " " + first.runFile()).second["result"] == "match");
  CHECK(jsonOf("verify " + second.specFile() + " " + second.runFile()).second["result"] == "match");
}

TEST_CASE("a command of the user's runs on every rank; what it prints is kept with its rank") {
  if (!hasMpirun()) return;
  RunningJob job(specOf(2, 16), {"--launcher", "mpirun", "--", "sh", "-c", "echo hello from $OMPI_COMM_WORLD_RANK"});
  const RunState state = job.await([](const RunState&) { return false; });
  CHECK(job.wait() == 0);
  CHECK(job.output().find("incomplete: 16 of 16 planned batches were not reported") != std::string::npos);
  CHECK(job.leftovers() == "");
  std::size_t lines = 0;
  for (std::size_t i = 0; i < state.log.size(); ++i) {
    const LogLine& line = state.log[i];
    lines += line.text == "hello from " + std::to_string(line.rank) ? 1 : 0;
  }
  CHECK(lines == 2);
  CHECK_FALSE(state.reports);
  const auto [code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(code == 1);
  CHECK(proof["result"] == "incomplete");
}

TEST_CASE("a slowed rank of one group is named with its group") {
  if (!hasMpirun()) return;
  RunningJob job(slowed(4, 2), inGroups(2));
  REQUIRE(job.wait() == 0);
  CHECK(job.leftovers() == "");
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  REQUIRE(code == 0);
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  CHECK(replay["groups"] == json::parse(R"([{"group": 1, "name": "part-0", "members": [0, 2]},
                                            {"group": 2, "name": "part-1", "members": [1, 3]}])"));
  const json straggler = verdictOf(replay, "straggler");
  REQUIRE(straggler.is_object());
  CHECK(straggler["rank"] == 2);
  CHECK(straggler["title"] == "All of group part-0 wait for rank 2");
  for (const json& rank : replay["ranks"]) CHECK(rank["steps"] == 96);
  const auto [verify_code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(verify_code == 0);
  CHECK(proof["result"] == "match");
}
