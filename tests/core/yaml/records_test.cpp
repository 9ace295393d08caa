// SPDX-License-Identifier: Apache-2.0
// Lists of records in spec files: read, judged, written, changed in place, and migrated from the first format.
#include "core/yaml/spec_reader.h"
#include "core/yaml/spec_update.h"
#include "core/yaml/spec_writer.h"
#include "tests/core/yaml/random_spec.h"
#include "tests/core/yaml/samplers.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace shardlens;
using yaml::ReadSpec;
using Delay = PipelineSpec::Run::Delay;

namespace {

ReadSpec read(const std::string& text) {
  return yaml::readSpec(text, test::samplers(), "a.yaml");
}

std::vector<Delay> delaysOf(const std::string& text) {
  const ReadSpec got = read(text);
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  return got.spec.run.delays;
}

/// One line each.
std::string problems(const std::string& text) {
  std::string texts;
  for (const Error& issue : read(text).issues) texts += issue.text() + "\n";
  return texts;
}

/// `text` with other delays, as saving changes it; empty when the file would have to be written anew.
std::string withDelays(const std::string& text, std::vector<Delay> delays) {
  PipelineSpec spec = read(text).spec;
  spec.run.delays = std::move(delays);
  return yaml::updateText(text, spec, test::samplers()).value_or("");
}

const std::string kBlock =
    "shardlens: 2\n"
    "world: {ranks_per_node: 8}\n"
    "run:\n"
    "  delays:  # on purpose\n"
    "    - rank: 1  # the first\n"
    "      ms: 10\n"
    "    - {rank: 2, ms: 20}\n"
    "    - rank: 3\n"
    "      ms: 30\n"
    "      phase: compute\n"
    "  load_ms: 7  # last\n";

const std::vector<Delay> kDelays = {
    {.rank = 1, .ms = 10}, {.rank = 2, .ms = 20}, {.rank = 3, .ms = 30, .phase = "compute"}};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a list of records is read in either style, and what a record leaves out has its default") {
  CHECK(delaysOf(kBlock) == kDelays);
  CHECK(delaysOf("shardlens: 2\nrun: {delays: [{ms: 1.5, rank: 1, from_step: 4, until_step: 9}]}\n") ==
        std::vector<Delay>{{.rank = 1, .ms = 1.5, .from_step = 4, .until_step = 9}});
  CHECK(delaysOf("shardlens: 2\nrun: {delays: []}\n").empty());
}

TEST_CASE("every problem of every record is told at once, with its place and its path") {
  const std::string text =
      "shardlens: 2\n"
      "run:\n"
      "  delays:\n"
      "    - {rank: 5, ms: fast}\n"
      "    - {rnk: 1, ms: 1}\n"
      "    - {rank: 0, ms: 1, ms: 2}\n"
      "    - 7\n"
      "    - {rank: 1, ms: 1, from_step: 9, until_step: 3}\n";
  CHECK(problems(text) ==

        "a.yaml:4:8: run.delays[0].rank: there is no rank 5. (ranks go from 0 to 1)\n"
        "a.yaml:4:21: run.delays[0].ms: 'fast' is not a number.\n"
        "a.yaml:5:7: run.delays[1]: the entry has no 'rank'. (add rank: ...)\n"
        "a.yaml:5:8: run.delays[1].rnk: there is no key 'rnk' in an entry of run.delays. (did you mean rank?)\n"
        "a.yaml:6:24: run.delays[2].ms: the key 'ms' occurs a second time. (remove one of them)\n"
        "a.yaml:7:7: run.delays[3]: an entry of run.delays is a map of keys and values. (write {rank: ..., ms: ...})\n"
        "a.yaml:8:38: run.delays[4].until_step: the delay ends at step 3 and begins at step 9. (give a later step, "
        "or 0 for a delay until the end)\n");
  CHECK(problems("shardlens: 2\nrun: {delays: {rank: 1, ms: 2}}\n") ==

        "a.yaml:2:15: run.delays: a list of entries is needed here. (write [{rank: ..., ms: ...}])\n");
  CHECK(problems("shardlens: 2\nrun:\n  delays:\n") ==
        "a.yaml:3:3: run.delays: a list of entries is needed here. (write [{rank: ..., ms: ...}])\n");
}

TEST_CASE("more records than a form can show are refused") {
  std::string text = "shardlens: 2\nrun: {delays: [{rank: 0, ms: 1}";
  for (int i = 0; i < 1000; ++i) text += ", {rank: 0, ms: 1}";
  REQUIRE(read(text + "]}\n").issues.size() == 1);
  CHECK(read(text + "]}\n").issues[0].place.field == "run.delays");
}

TEST_CASE("in place, only the values of a record that differ are written") {
  std::vector<Delay> delays = kDelays;
  delays[0].ms = 11;
  delays[1].ms = 22;
  delays[2].from_step = 5;
  CHECK(withDelays(kBlock, delays) == replaced(replaced(replaced(kBlock, "ms: 10", "ms: 11"), "ms: 20", "ms: 22"),
                                               "phase: compute\n", "phase: compute\n      from_step: 5\n"));
}

TEST_CASE("in place, records are added in the style of the list") {
  std::vector<Delay> delays = kDelays;
  delays.push_back({.rank = 4, .ms = 4});
  delays.push_back({.rank = 5, .ms = 5});
  CHECK(withDelays(kBlock, delays) ==
        replaced(kBlock, "compute\n", "compute\n    - {rank: 4, ms: 4}\n    - {rank: 5, ms: 5}\n"));
  const std::string flow = "shardlens: 2\nrun: {delays: [{rank: 1, ms: 1}]} # x\n";
  CHECK(withDelays(flow, {{.rank = 0, .ms = 9}, {.rank = 1, .ms = 1}, {.rank = 0, .ms = 2}}) ==
        "shardlens: 2\nrun: {delays: [{rank: 0, ms: 9}, {rank: 1, ms: 1}, {rank: 0, ms: 2}]} # x\n");
}

TEST_CASE("in place, records are removed and their neighbours stay as they were written") {
  CHECK(withDelays(kBlock, {kDelays[0], kDelays[2]}) == replaced(kBlock, "    - {rank: 2, ms: 20}\n", ""));
  CHECK(withDelays(kBlock, {kDelays[1], kDelays[2]}) ==
        replaced(kBlock, "    - rank: 1  # the first\n      ms: 10\n", ""));
  CHECK(withDelays("shardlens: 2\nrun: {delays: [{rank: 1, ms: 1}, {rank: 0, ms: 2}]}\n", {{.rank = 0, .ms = 2}}) ==
        "shardlens: 2\nrun: {delays: [{rank: 0, ms: 2}]}\n");
  CHECK(delaysOf(withDelays(kBlock, {})).empty());
}

TEST_CASE("any list of records can be written over any other, in both styles") {
  test::RandomSpec random(test::samplers(), 11);
  const auto draw = [&] {
    std::vector<Delay> delays(static_cast<std::size_t>(random.below(5)));
    for (Delay& delay : delays) {
      delay = {.rank = random.below(8), .ms = static_cast<double>(random.below(3)), .from_step = random.below(2)};
    }
    return delays;
  };
  const auto block = [](const std::vector<Delay>& delays) {
    std::string text = "shardlens: 2\nworld: {ranks_per_node: 8}\nrun:\n  delays:\n";
    for (const Delay& delay : delays) {
      text += "    - rank: " + std::to_string(delay.rank) + "  # r\n      ms: " + std::to_string(delay.ms) +
              "\n      from_step: " + std::to_string(delay.from_step) + "\n";
    }
    return text + (delays.empty() ? "    []\n" : "") + "epochs: 3  # three\n";
  };
  for (int i = 0; i < 500; ++i) {
    const std::string text = block(draw());
    const std::vector<Delay> wanted = draw();
    CAPTURE(text);
    const std::string updated = withDelays(text, wanted);
    CAPTURE(updated);
    CHECK(delaysOf(updated) == wanted);
    CHECK(updated.find("epochs: 3  # three\n") != std::string::npos);
  }
}

TEST_CASE("a file of the first format is read as it was meant") {
  CHECK(delaysOf("shardlens: 1\nrun: {delay: {rank: 1, ms: 40, phase: compute}}\n") ==
        std::vector<Delay>{{.rank = 1, .ms = 40, .phase = "compute"}});
  CHECK(delaysOf("shardlens: 1\nrun:\n  delay:\n    ms: 3\n") == std::vector<Delay>{{.rank = 0, .ms = 3}});
  CHECK(delaysOf("shardlens: 1\nrun: {delay: {rank: 1000}}\n").empty());
  CHECK(delaysOf("shardlens: 1\nrun: {delay: {rank: 1000, ms: 0}}\n").empty());
  CHECK(read("shardlens: 1\n").version == 1);
}

TEST_CASE("what is wrong in a file of the first format is told where it stands there") {
  CHECK(problems("shardlens: 1\nrun:\n  delay:\n    rank: 9\n    ms: 3\n") ==
        "a.yaml:4:5: run.delays[0].rank: there is no rank 9. (ranks go from 0 to 1)\n");
  CHECK(
      problems("shardlens: 1\nrun: {delay: 5}\n") ==
      "a.yaml:2:14: run.delays[0]: an entry of run.delays is a map of keys and values. (write {rank: ..., ms: ...})\n");
  CHECK(problems("shardlens: 2\nrun: {delay: {rank: 1, ms: 2}}\n") ==
        "a.yaml:2:7: run.delay: there is no key 'delay' in run. (did you mean delays?)\n");
}

TEST_CASE("saving a change of a file of the first format renews its words and keeps the rest") {
  const std::string old_text =
      "# mine\nshardlens: 1  # old\nrun:\n  load_ms: 2.50\n  delay:\n    rank: 1\n    ms: 40\n  gradient_kb: 8 # few\n";
  PipelineSpec spec = read(old_text).spec;
  CHECK(yaml::updateText(old_text, spec, test::samplers()) == old_text);
  spec.run.gradient_kb = 9;
  CHECK(yaml::updateText(old_text, spec, test::samplers()) ==
        "# mine\nshardlens: 2  # old\nrun:\n  load_ms: 2.50\n  delays: [{rank: 1, ms: 40}]\n  gradient_kb: 9 # few\n");
  spec.run.gradient_kb = 8;
  spec.run.delays.clear();
  CHECK(yaml::updateText(old_text, spec, test::samplers()) ==
        "# mine\nshardlens: 2  # old\nrun:\n  load_ms: 2.50\n  delays: []\n  gradient_kb: 8 # few\n");
  CHECK(yaml::updateText("shardlens: 1\nepochs: 3 # few\n", read("shardlens: 1\nepochs: 4\n").spec, test::samplers()) ==
        "shardlens: 2\nepochs: 4 # few\n");
}

TEST_CASE("a schedule is read line by line, and what it cannot mean is told") {
  const std::string head = "shardlens: 2\nworld: {ranks_per_node: 4, groups: {tensor: 2}}\nschedule:\n";
  const ReadSpec got = read(head +
                            "  - {do: barrier, at: start, if: rank != 0}\n"
                            "  - {do: ddp}\n"
                            "  - do: send\n"
                            "    group: tensor\n"
                            "    if: group_rank in [0] and step % 2 == 0\n"
                            "    peer: 1\n"
                            "    kb: 64\n");
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  using Phase = PipelineSpec::Phase;
  CHECK(got.spec.schedule == std::vector<Phase>{{.what = "barrier", .at = "start", .condition = "rank != 0"},
                                                {.what = "ddp"},
                                                {.what = "send",
                                                 .condition = "group_rank in [0] and step % 2 == 0",
                                                 .group = "tensor",
                                                 .peer = std::int64_t{1},
                                                 .kb = 64}});
  CHECK(read(yaml::writeSpec(got.spec, test::samplers())).spec == got.spec);
  CHECK(problems(head + "  - {do: barier}\n"
                        "  - {do: barrier, at: start, if: step == 0}\n"
                        "  - {do: barrier, if: rnak == 0}\n"
                        "  - {do: zero_first, at: start}\n"
                        "  - {do: recv, group: tensor, peer: 2}\n") ==
        "a.yaml:4:10: schedule[0].do: 'barier' is not one of load, compute, host, all_reduce, reduce_scatter, "
        "all_gather, broadcast, all_to_all, barrier, send, recv, ddp, fsdp, zero_first, rank0_saves, evaluation. (did "
        "you "
        "mean barrier?)\n"
        "a.yaml:5:30: schedule[1].if: there is no step at start. (remove the comparison, or choose another value for "
        "`at`)\n"
        "a.yaml:6:19: schedule[2].if: 'rnak == 0' is not a condition. (did you mean rank?)\n"
        "a.yaml:7:5: schedule[3]: zero_first itself sets when it runs and with which ranks. (write {do: zero_first} "
        "alone, or its phases)\n"
        "a.yaml:8:31: schedule[4].peer: there is no rank 2. (ranks go from 0 to 1)\n");
}

TEST_CASE("lists of ranks are read in any spelling, saved as lists, and each names ranks that there are, once") {
  const std::string head = "shardlens: 2\nworld: {ranks_per_node: 4, groups: {tensor: 2}}\nschedule:\n";
  const std::string text = head + "  - {do: barrier, ranks: [[0,1], [2, 3]]}  # pairs\n  - {do: ddp}\n";
  const ReadSpec got = read(text);
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  CHECK(got.spec.schedule[0].ranks == "[[0, 1], [2, 3]]");
  for (const char* same : {"\"[0, 1], [2, 3]\"", "\"[[0, 1],[2,3]]\"", "\n      - [0, 1]\n      - [2, 3]"})
    CHECK(read(head + "  - do: barrier\n    ranks: " + same + "\n  - do: ddp\n").spec == got.spec);
  CHECK(yaml::writeSpec(got.spec, test::samplers()).find("{do: barrier, ranks: [[0, 1], [2, 3]]}") !=
        std::string::npos);
  PipelineSpec spec = got.spec;
  spec.schedule[0].ranks = "[[3]]";
  CHECK(yaml::updateText(text, spec, test::samplers()) == replaced(text, "[[0,1], [2, 3]]", "[[3]]"));
  CHECK(problems(head + "  - {do: barrier, ranks: [0, [1]]}\n"
                        "  - {do: barrier, ranks: [[-1]]}\n") ==
        "a.yaml:4:26: schedule[0].ranks: '[0, [1]]' is not a list of lists of numbers. (write it as [[0, 1], [2, 3]])\n"
        "a.yaml:5:26: schedule[1].ranks: -1 is out of range: it must be from 0 to 100000.\n");
  CHECK(problems(head + "  - {do: barrier, ranks: [[0, 4]]}\n"
                        "  - {do: barrier, ranks: [[0, 1], [1]]}\n"
                        "  - {do: barrier, group: data, ranks: [[0, 1]]}\n"
                        "  - {do: recv, ranks: [[0, 1], [2]], peer: 1}\n") ==
        "a.yaml:4:19: schedule[0].ranks: there is no rank 4. (ranks go from 0 to 3)\n"
        "a.yaml:5:19: schedule[1].ranks: rank 1 is listed twice. (let each rank be in one of the groups)\n"
        "a.yaml:6:19: schedule[2].group: the phase has a group and ranks. (remove one of them)\n"
        "a.yaml:7:38: schedule[3].peer: there is no rank 1. (ranks go from 0 to 0)\n");
}

TEST_CASE("values are as many numbers for each rank, and whole ones stay whole") {
  const std::string head = "shardlens: 2\nworld: {ranks_per_node: 2}\nschedule:\n";
  const ReadSpec got = read(head +
                            "  - {do: all_reduce, values: [[1, -2], [3.5, 4e1]]}\n"
                            "  - {do: all_reduce, values: [[1, 2], [3, 4]]}\n");
  REQUIRE_MESSAGE(got.issues.empty(), got.issues.front().text());
  CHECK(got.spec.schedule[0].values == "[[1.0, -2.0], [3.5, 40.0]]");
  CHECK(got.spec.schedule[1].values == "[[1, 2], [3, 4]]");
  CHECK(read(yaml::writeSpec(got.spec, test::samplers())).spec == got.spec);
  CHECK(problems(head + "  - {do: all_reduce, values: [[1], [2]], kb: 1}\n"
                        "  - {do: barrier, values: [[1], [2]]}\n"
                        "  - {do: all_reduce, values: [[1]]}\n"
                        "  - {do: all_reduce, values: [[1, 2], [3]]}\n") ==
        "a.yaml:4:22: schedule[0].values: only an all_reduce without kb has values. (remove kb, or the values)\n"
        "a.yaml:5:19: schedule[1].values: only an all_reduce without kb has values. (remove kb, or the values)\n"
        "a.yaml:6:22: schedule[2].values: there are values for 1 rank, but the world has 2. (write one list for each "
        "rank of the world)\n"
        "a.yaml:7:22: schedule[3].values: ranks have different numbers of values. (give every rank as many as rank "
        "0)\n");
}
