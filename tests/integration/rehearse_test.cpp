// SPDX-License-Identifier: Apache-2.0
// Real MPI ranks perform the schedule of a spec: in `run`, and in `rehearse`, which says whether they hang as
// predicted.
#include "tests/integration/job.h"
#include "tests/support/json_schema.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace shardlens;
using namespace shardlens::test;
using nlohmann::json;

namespace {

/// Two data-parallel ranks of two tensor peers each.
std::string scheduled(const std::string& schedule,
                      const std::string& run = "load_ms: 1, compute_ms: 1, gradient_kb: 10") {
  return "shardlens: 2\nname: scheduled\ndataset: {size: 16}\n"
         "world: {nodes: 1, ranks_per_node: 4, groups: {tensor: 2}}\n"
         "sampler: {type: megatron.MegatronPretrainingSampler}\nloader: {batch_size: 2}\nepochs: 1\nrun: {" +
         run + "}\nschedule: [" + schedule + "]\n";
}

class SpecFile {
 public:
  explicit SpecFile(const std::string& text) { std::ofstream(path()) << text; }
  [[nodiscard]] std::string path() const { return (folder_ / "spec.yaml").string(); }

 private:
  TempFolder folder_;
};

json rehearsed(const std::string& schedule, int expected_code) {
  const SpecFile spec(scheduled(schedule));
  const auto [code, answer] = jsonOf("rehearse " + spec.path() + " --most 60");
  INFO(answer.dump());
  CHECK(code == expected_code);
  CHECK(schemaProblems(answer, "rehearse.schema.json") == "");
  return answer;
}

}  // namespace

TEST_CASE("ranks perform each operation of a schedule, in its groups, and read the planned batches") {
  if (!hasMpirun()) return;
  RunningJob job(scheduled(
      "{do: ddp}, {do: all_reduce, group: tensor, op: max, kb: 3}, {do: reduce_scatter, group: data, kb: 2}, "
      "{do: all_gather, group: tensor, kb: 1}, {do: all_to_all, kb: 4}, "
      "{do: broadcast, peer: 3, kb: 1, at: start}, {do: all_reduce, ranks: [[0, 3], [1, 2]], kb: 1, at: end}, "
      "{do: send, if: rank % 2 == 0}, {do: recv, if: rank % 2 == 1, peer: previous}, "
      "{do: barrier, at: epoch_end}, {do: rank0_saves}"));
  CHECK(job.wait() == 0);
  INFO(job.output() << job.errors());
  const auto [code, proof] = jsonOf("verify " + job.specFile() + " " + job.runFile());
  CHECK(code == 0);
  CHECK(proof["result"] == "match");
  const auto [replay_code, replay] = jsonOf("replay " + job.runFile());
  REQUIRE(replay["ranks"].size() == 4);
  for (const json& rank : replay["ranks"]) {
    CHECK(rank["steps"] == 4);
    CHECK(rank["collectives"] == 4 * 6 + 4);
    CHECK(rank["state"] == "done");
  }
  CHECK(replay["groups"].size() == 6);
}

TEST_CASE("a schedule that is right is rehearsed to its end") {
  if (!hasMpirun()) return;
  const json answer = rehearsed("{do: zero_first}, {do: ddp}, {do: evaluation}", 0);
  CHECK(answer["seen"] == "through");
  CHECK(answer["agree"] == true);
}

TEST_CASE("a rehearsal says that its broadcasts hold ranks that MPI may let go on") {
  if (!hasMpirun()) return;
  const json answer = rehearsed("{do: broadcast, if: rank == 0}, {do: ddp}", 1);
  CHECK(answer["seen"] == "stands_still");
  CHECK(answer["sight"].get<std::string>().find("MPI may let some go on.") != std::string::npos);
}

TEST_CASE("a barrier that one rank never reaches holds real ranks where it was said to") {
  if (!hasMpirun()) return;
  const json answer =
      rehearsed("{do: barrier, at: start, if: local_rank != 0}, {do: host, at: start, ms: 90000}, {do: ddp}", 1);
  CHECK(answer["seen"] == "stands_still");
  CHECK(answer["agree"] == true);
  REQUIRE(answer["ranks"].size() == 4);
  CHECK(answer["ranks"][0]["in"]["do"] == "all_reduce");
  CHECK(answer["ranks"][0]["in"]["text"] ==
        "all_reduce of 10\u202f000 bytes (avg) in the data group [0, 2] in epoch 0, step 0 (schedule[2])");
  CHECK(answer["ranks"][3]["in"]["do"] == "barrier");
}

TEST_CASE("the example of a barrier that one rank never reaches hangs as it says, and its fix lets it through") {
  if (!hasMpirun()) return;
  const std::string path = test::sourceDir() + "/resources/examples/barrier-never-reached.yaml";
  const auto [code, answer] = jsonOf("rehearse " + path + " --most 60");
  CHECK(code == 1);
  CHECK(answer["agree"] == true);
  for (int rank = 0; rank < 4; ++rank)
    CHECK(answer["ranks"][rank]["in"]["do"] == (rank == 0 ? "all_reduce" : "barrier"));
  std::string fixed = slurp(path);
  fixed.replace(fixed.find("{do: ddp}"), 0, "{do: barrier, at: start, if: \"local_rank == 0\"}, ");
  CHECK(jsonOf("rehearse " + SpecFile(fixed).path() + " --most 60").second["seen"] == "through");
}

TEST_CASE("all ranks have the sum that was predicted of their values, and the mean of whole numbers has a note") {
  if (!hasMpirun()) return;
  const std::string values = "values: [[1, 2], [3, 4], [10, 20], [30, 40]]";
  const json answer = rehearsed(
      "{do: all_reduce, ranks: [[0, 1], [2, 3]], " + values + "}, {do: all_reduce, at: end, op: avg, " + values + "}",
      0);
  REQUIRE(answer["values"].size() == 3);
  CHECK(answer["values"][0]["predicted"] == json({4, 6}));
  CHECK(answer["values"][0]["had"] == json({{4, 6}, {4, 6}}));
  CHECK(answer["values"][0]["most_bytes_per_link"] == 8);
  CHECK(answer["values"][0]["tree_rounds"][1]["messages"][0]["values"] == json({4, 6}));
  CHECK(answer["values"][0]["comparison"] ==
        "a binomial tree would take 2 rounds, the ring 2; the two ranks that exchange most exchange 16 bytes in the "
        "tree, 16 in the ring, both ways together.");
  CHECK(answer["values"][2]["comparison"].get<std::string>().starts_with(
      "a binomial tree would take 4 rounds, the ring 6; the two ranks that exchange most exchange 16 bytes in the "
      "tree, "
      "12 in the ring"));
  CHECK(answer["values"][0]["note"].is_null());
  CHECK(answer["values"][1]["had"] == json({{40, 60}, {40, 60}}));
  CHECK(answer["values"][2]["had"] == json({{11, 16.5}, {11, 16.5}, {11, 16.5}, {11, 16.5}}));
  CHECK(answer["values"][2]["note"].is_string());
}

TEST_CASE("the examples of a sum and of a barrier that all ranks reach get through as they say") {
  if (!hasMpirun()) return;
  const std::string examples = test::sourceDir() + "/resources/examples/";
  CHECK(jsonOf("rehearse " + examples + "zero-first.yaml --most 60").second["seen"] == "through");
  const json answer = jsonOf("rehearse " + examples + "all-reduce-ring.yaml --most 60").second;
  REQUIRE(answer["values"].size() == 1);
  CHECK(answer["values"][0]["had"] == json({{4, 6}, {4, 6}}));
  CHECK(answer["values"][0]["rounds"].size() == 2);
  CHECK(jsonOf("rehearse " + examples + "first-a-then-b.yaml --most 60").second["seen"] == "through");
  const json mean = jsonOf("rehearse " + examples + "all-reduce-mean.yaml --most 60").second;
  REQUIRE(mean["values"].size() == 1);
  CHECK(mean["values"][0]["had"] == json({{2, 3}, {2, 3}}));
  CHECK(mean["values"][0]["note"].is_string());
}

TEST_CASE("a ring of sends holds real ranks, and one whose other ranks receive first does not") {
  if (!hasMpirun()) return;
  CHECK(rehearsed("{do: send, at: end}, {do: recv, at: end, peer: previous}", 1)["agree"] == true);
  CHECK(rehearsed("{do: recv, at: end, peer: previous, if: rank % 2 == 0}, {do: send, at: end}, "
                  "{do: recv, at: end, peer: previous, if: rank % 2 == 1}",
                  0)["agree"] == true);
}

TEST_CASE("ranks that wait together from different moments on are held against their own places") {
  if (!hasMpirun()) return;
  const json answer =
      rehearsed("{do: barrier, at: start, if: rank == 1}, {do: barrier, at: end, if: \"rank in [2, 3]\"}", 1);
  CHECK(answer["seen"] == "stands_still");
  CHECK(answer["agree"] == true);
  CHECK(answer["ranks"][0]["finished"] == true);
  CHECK(answer["ranks"][1]["in"]["line"] == 0);
  CHECK(answer["ranks"][3]["in"]["line"] == 1);
}

TEST_CASE("what cannot be rehearsed is said") {
  const SpecFile none(specOf(2, 8));
  const auto without = runShell(test::binDir() + "/shardlens rehearse " + none.path() + " 2>&1");
  CHECK(without.code == 2);
  CHECK(without.out.find("the spec has no schedule to rehearse") != std::string::npos);
  const SpecFile scheduled_one(scheduled("{do: ddp}"));
  const auto plain =
      runShell(test::binDir() + "/shardlens rehearse --launcher plain " + scheduled_one.path() + " 2>&1");
  CHECK(plain.code == 2);
  CHECK(plain.out.find("mpi_rank alone performs a schedule") != std::string::npos);
}
