// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/job.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;

namespace {

/// What `replay` says of a job of this many ranks that takes so many steps an epoch, slowed as `delays` says. Its ranks
/// wait for a socket: those of mpirun would be busy on the cores that they share.
json replayOf(int ranks, int steps, int epochs, const std::string& delays) {
  std::string spec = specOf(ranks, 2 * ranks * steps, "load_ms: 2, compute_ms: 2, gradient_kb: 10" + delays);
  spec.replace(spec.find("epochs: 2"), 9, "epochs: " + std::to_string(epochs));
  RunningJob job(spec, {"--launcher", "plain", "--quiet"});
  REQUIRE(job.wait() == 0);
  const auto [code, replay] = jsonOf("replay " + job.runFile());
  REQUIRE(code == 0);
  CHECK(schemaProblems(replay, "replay.schema.json") == "");
  return replay;
}

std::vector<json> stragglers(const json& replay) {
  std::vector<json> found;
  for (const json& verdict : replay["verdicts"]) {
    if (verdict["kind"] == "straggler") found.push_back(verdict);
  }
  return found;
}

/// A busy host makes any rank late now and then: by much less than the delays here, but by some of them. Only many
/// steps tell the one from the other.
void checkIsAbout(double seconds, double delays_s) {
  CHECK(seconds > 0.6 * delays_s);
  CHECK(seconds < 1.4 * delays_s);
}

}  // namespace

TEST_CASE("two slow ranks of four are named together, with what mending one and mending all gains") {
  const auto found = stragglers(replayOf(4, 48, 1, ", delays: [{rank: 1, ms: 100}, {rank: 3, ms: 100}]"));
  REQUIRE(found.size() == 1);
  CHECK(found[0]["ranks"] == json{1, 3});
  CHECK(found[0]["title"] == "Everyone waits for ranks 1 and 3");
  const double gain = found[0]["gain_s"];
  checkIsAbout(gain, 4.8);
  CHECK(found[0]["lost_s"].get<double>() > 1.5 * gain);  // the two others wait
  CHECK(found[0]["confidence"].get<double>() > 0.99);
  for (const json& alone : found[0]["gain_alone_s"]) CHECK(alone.get<double>() < gain / 2);
}

TEST_CASE("two unequally slow ranks: mending the worse alone gains the distance between them") {
  const auto found = stragglers(replayOf(4, 32, 1, ", delays: [{rank: 0, ms: 200}, {rank: 2, ms: 100}]"));
  REQUIRE(found.size() == 1);
  CHECK(found[0]["ranks"] == json{0, 2});
  CHECK(found[0]["rank"] == 0);
  checkIsAbout(found[0]["gain_s"], 6.4);
  checkIsAbout(found[0]["gain_alone_s"][0], 3.2);
  CHECK(found[0]["gain_alone_s"][1].get<double>() < found[0]["gain_alone_s"][0].get<double>() / 4);
}

TEST_CASE("a rank that is slow in one epoch is named with that epoch, and with its time") {
  const json replay = replayOf(4, 32, 3, ", delays: [{rank: 2, ms: 200, from_step: 32, until_step: 64}]");
  const auto found = stragglers(replay);
  REQUIRE(found.size() == 1);
  CHECK(found[0]["ranks"] == json{2});
  CHECK(found[0]["title"] == "Everyone waited for rank 2 in epoch 1");
  checkIsAbout(found[0]["gain_s"], 6.4);
  const double from = found[0]["from_s"];
  const double to = found[0]["to_s"];
  CHECK(from > 0);
  CHECK(to - from >= 6.2);  // 32 steps of 200 ms at least, and the first has begun before
  CHECK(to < replay["elapsed_s"].get<double>());
}

TEST_CASE("a rank that is slow for some steps is named with these steps") {
  const auto found = stragglers(replayOf(4, 96, 1, ", delays: [{rank: 1, ms: 200, from_step: 0, until_step: 32}]"));
  REQUIRE(found.size() == 1);
  CHECK(found[0]["ranks"] == json{1});
  const std::string title = found[0]["title"];
  CHECK(title.find("Everyone waited for rank 1 from step 0 to step ") == 0);
  checkIsAbout(found[0]["gain_s"], 6.4);
}

TEST_CASE("a rank that becomes slow in a running job is named while the job goes on, with since when") {
  RunningJob job(specOf(4, 8 * 2000, "load_ms: 2, compute_ms: 2, delays: [{rank: 3, ms: 100, from_step: 20}]"),
                 {"--launcher", "plain"});
  const auto isNamed = [](const RunState& now) {
    return std::any_of(now.verdicts.begin(), now.verdicts.end(), [](const Verdict& one) {
      return one.kind == VerdictKind::Straggler && one.ranks == std::vector<std::int64_t>{3} && one.from_ns;
    });
  };
  const RunState state = job.await(isNamed);
  CHECK(isNamed(state));
  CHECK(state.status == JobStatus::Running);
  job.signal(SIGINT);
  CHECK(job.wait() == 4);
}

TEST_CASE("what came instead of the planned batches is said of a real run") {
  if (!hasMpirun()) return;
  const std::string examples = test::sourceDir() + "/resources/examples/";
  RunningJob job(slurp(examples + "distributed-sampler-no-set-epoch.yaml"), {"--launcher", "mpirun"});
  REQUIRE(job.wait() == 0);
  const auto [code, proof] = jsonOf("verify " + examples + "distributed-sampler.yaml " + job.runFile());
  CHECK(code == 1);
  CHECK(schemaProblems(proof, "verify.schema.json") == "");
  CHECK(proof["result"] == "mismatch");
  CHECK(proof["explanation"] ==
        "Epoch 1 got the order of epoch 0. The order stays until set_epoch is called with another number.");
  CHECK(proof["instead"].size() == 2);
}

TEST_CASE("another seed, another world and a rank by another name are told of real runs") {
  if (!hasMpirun()) return;
  const std::string planned = specOf(4, 64, "load_ms: 1, compute_ms: 1, gradient_kb: 1");
  const auto explained = [&planned](const std::string& from, const std::string& to) {
    std::string other = planned;
    other.replace(other.find(from), from.size(), to);
    RunningJob job(other, {"--launcher", "mpirun", "--quiet"});
    REQUIRE(job.wait() == 0);
    const TempFolder folder;
    spill(folder / "planned.yaml", planned);
    return jsonOf("verify " + (folder / "planned.yaml").string() + " " + job.runFile()).second.value("explanation", "");
  };
  const std::string those = "All compared batches match the plan with ";
  CHECK(explained("seed: 0", "seed: 7") == those + "sampler.seed 7 instead of 0.");
  CHECK(explained("ranks_per_node: 4", "ranks_per_node: 2") == those + "world.ranks_per_node 2 instead of 4.");
  CHECK(explained("seed: 0}", "seed: 0, rank: 0}") ==
        "Ranks 1 to 3 read the share of rank 0: every rank acted as rank 0.");
}
