// SPDX-License-Identifier: Apache-2.0
// What NCCL itself says of a job: the status of RAS, and the lines of Inspector.
#include "tests/core/traces/dumps_of.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using nlohmann::json;
using namespace shardlens;
using namespace shardlens::test;

namespace {

json process(int rank) {
  return {{"rank", rank},
          {"host", rank < 2 ? "10.0.0.1" : "10.0.0.2"},
          {"pid", 100 + rank},
          {"cuda_dev", rank % 2},
          {"nvml_dev", rank % 2}};
}

json ras(const std::vector<int>& counts) {
  json ranks = json::array();
  for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) {
    json one = process(rank);
    one["status"] = {{"init_state", 0}, {"async_error", 0}, {"abort_flag", false}};
    one["collective_counts"] = {{"AllReduce", counts[static_cast<std::size_t>(rank)]}, {"Broadcast", 3}};
    ranks.push_back(one);
  }
  json whole = {
      {"nccl_version", "2.28.9"},
      {"timestamp", "2026-06-19 06:56:24"},
      {"communicators_count", 1},
      {"communicators", {{{"hash", "0xa1"}, {"size", 4}, {"ranks", ranks}, {"missing_ranks", json::array()}}}}};
  return whole;
}

/// The members 2 and 3 of the job are 0 and 1 of this one.
void addPair(json& status, int first, int second) {
  json ranks = json::array();
  const int counts[] = {first, second};
  for (int member = 0; member < 2; ++member) {
    json one = process(2 + member);
    one["rank"] = member;
    one["collective_counts"] = {{"AllGather", counts[member]}};
    ranks.push_back(one);
  }
  const json pair = {{"hash", "0xb2"}, {"size", 2}, {"ranks", ranks}, {"missing_ranks", json::array()}};
  status["communicators"].insert(status["communicators"].begin(), pair);
}

Replayed statusOf(const json& status) {
  const TempFolder folder;
  spill(folder / "ras.json", status.dump(2));
  return replayed(folder / "ras.json");
}

json line(int rank, int sn, bool is_verbose, std::int64_t start_us = 1'752'867'229'000'000) {
  json out = {{"header", {{"id", "0xe6"}, {"rank", rank}, {"n_ranks", 2}, {"nnodes", 1}}},
              {"metadata",
               {{"inspector_output_format_version", "v4.0"},
                {"dump_timestamp_us", start_us + 900'000},
                {"hostname", "node-1"},
                {"pid", 500 + rank}}},
              {"coll_perf",
               {{"coll", "AllReduce"},
                {"coll_sn", sn},
                {"coll_msg_size_bytes", 4096},
                {"coll_exec_time_us", 250},
                {"coll_busbw_gbs", 1.5}}}};
  if (is_verbose)
    out["coll_perf"]["event_trace_ts"] = {{"coll_start_ts", start_us + 1000 * rank},
                                          {"kernel_events", {{{"kernel_stop_ts", start_us + 5000}}}}};
  return out;
}

}  // namespace

TEST_CASE("RAS: the rank that has launched fewer operations is behind") {
  const Replayed run = statusOf(ras({101, 100, 101, 101}));
  const Verdict verdict = mainVerdict(run.state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.ranks == std::vector<std::int64_t>{1});
  CHECK(verdict.title == "Rank 1 has not reached all_reduce #101");
  CHECK(run.state.ranks[1].host == "10.0.0.1");
  CHECK(run.state.ranks[1].pid == 101);
  CHECK(holds(run.note, "records no times"));
  CHECK(run.state.verdicts.size() == 1);
  CHECK_FALSE(run.is_damaged);
}

TEST_CASE("RAS: where all have launched as many, nothing is claimed") {
  const Replayed run = statusOf(ras({100, 100, 100, 100}));
  CHECK(run.state.verdicts.empty());
  CHECK(holds(run.note, "a hang does not show"));
}

TEST_CASE("RAS: entries without a number, or with that of another one, are left out") {
  json status = ras({5, 5, 5, 4});
  json twin = process(2);
  twin["pid"] = 999;
  status["communicators"][0]["ranks"].push_back(twin);
  status["communicators"][0]["missing_ranks"].push_back({{"host", "10.0.0.9"}, {"pid", 7}});
  const Verdict verdict = mainVerdict(statusOf(status).state);
  CHECK(verdict.kind == VerdictKind::Stalled);
  CHECK(verdict.ranks == std::vector<std::int64_t>{3});
  CHECK(verdict.confidence == 0);  // a job that runs looks like that, too
}

TEST_CASE("RAS: members of a communicator are ranks of the job") {
  json status = ras({7, 7, 7, 7});
  addPair(status, 5, 4);
  const Replayed run = statusOf(status);
  CHECK(run.state.world_size == 4);
  REQUIRE(run.state.groups.size() == 1);
  CHECK(run.state.groups[0].name == "0xb2");
  CHECK(*run.state.groups[0].members == std::vector<std::int64_t>{2, 3});
  CHECK(mainVerdict(run.state).title == "Rank 3 has not reached all_gather #5 of group 0xb2");
}

TEST_CASE("RAS: a rank that does not answer is named, dead or not") {
  for (const bool is_dead : {false, true}) {
    json status = ras({4, 4, 4});
    json missing = process(3);
    missing["status"] = {{"unresponsive", true}, {"considered_dead", is_dead}};
    status["communicators"][0]["missing_ranks"].push_back(missing);
    const Verdict verdict = mainVerdict(statusOf(status).state);
    CHECK(verdict.kind == (is_dead ? VerdictKind::Dead : VerdictKind::Stalled));
    CHECK(verdict.ranks == std::vector<std::int64_t>{3});
    CHECK(holds(verdict.message, "rank 3 (pid 103 on 10.0.0.2)"));
    CHECK(verdict.title == (is_dead ? "Rank 3 is considered dead" : "Rank 3 does not answer"));
  }
}

TEST_CASE("RAS: the comma that NCCL 2.28 forgets is put in, and a status that was cut is used") {
  json status = ras({4, 4, 4});
  json missing = process(3);
  missing["status"] = {{"unresponsive", true}, {"considered_dead", false}};
  status["communicators"][0]["missing_ranks"].push_back(missing);
  std::string text = status.dump(2);
  const std::size_t after = text.find("\"unresponsive\"");  // of the missing rank, whose status follows its rank
  const std::size_t comma = text.rfind(',', text.rfind("\"status\"", after));
  REQUIRE(comma != std::string::npos);
  text.erase(comma, 1);
  const TempFolder folder;
  spill(folder / "status.json", text);
  const Replayed run = replayed(folder.path());
  CHECK(mainVerdict(run.state).title == "Rank 3 does not answer");
  CHECK_FALSE(run.is_damaged);
  spill(folder / "status.json", ras({9, 8, 9, 9}).dump(2).substr(0, 1200));
  CHECK(replayed(folder.path()).is_damaged);
}

TEST_CASE("Inspector: finished operations with their times") {
  const TempFolder folder;
  for (const int rank : {0, 1}) {
    std::string text;
    for (const int sn : {1, 2, 7}) text += line(rank, sn, true, 1'752'867'229'000'000 + 10'000 * sn).dump() + "\n";
    spill(folder / ("node-1-pid" + std::to_string(500 + rank) + ".log"), text);
  }
  const Replayed run = replayed(folder.path());
  CHECK(run.state.verdicts.empty());
  CHECK(run.state.world_size == 2);
  CHECK(run.state.ranks[1].host == "node-1");
  CHECK(run.state.ranks[1].pid == 501);
  CHECK(run.state.ranks[0].collectives == 3);
  CHECK(run.state.ranks[0].wait_ns == 3 * 1'000'000);  // rank 1 comes 1 ms later
  CHECK(run.state.ranks[1].wait_ns == 0);
  CHECK(run.state.ranks[1].transfer_ns == 3 * 4'000'000);
  CHECK(run.state.clock_error_us == 0);
  CHECK(holds(run.note, "NCCL Inspector writes the last finished operation"));
}

TEST_CASE("Inspector: without times of calls, and with lines that are damaged") {
  const TempFolder folder;
  spill(folder / "a.log", line(0, 1, false).dump() + "\n" + "{\"header\": {\"id\"\n" + line(0, 9, false).dump());
  const Replayed run = replayed(folder.path());
  CHECK(run.is_damaged);
  CHECK(holds(run.note, "a.log has lines that were not read, the first of them at byte "));
  CHECK(run.state.world_size == 2);
  CHECK(run.state.ranks[0].collectives == 2);
  CHECK_FALSE(run.state.ranks[1].is_measured);
}
