// SPDX-License-Identifier: Apache-2.0
// What the audit says of a schedule that hangs, and what mends it.
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "tests/core/audit/audited.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace shardlens;
using test::find;
using test::need;
using test::reportOf;
using Phase = PipelineSpec::Phase;

namespace {

PipelineSpec specOf(std::vector<Phase> schedule) {
  PipelineSpec spec;
  spec.world.ranks_per_node = 4;
  spec.seeds.rule = "base+rank";
  spec.schedule = std::move(schedule);
  return spec;
}

std::string whyItHangs(std::vector<Phase> schedule) {
  return need(reportOf(specOf(std::move(schedule)), {.fixes = false}), "schedule-hangs").why;
}

/// With each of the fixes, nothing hangs.
void checkFixes(const PipelineSpec& spec, const Finding& finding) {
  REQUIRE(finding.fix() != nullptr);
  for (const Fix& fix : finding.fixes) {
    CAPTURE(fix.label);
    const auto fixed = applyEdits(spec, fix.edits, sampling::catalogue());
    REQUIRE(fixed);
    CHECK(find(reportOf(*fixed), "schedule-hangs") == nullptr);
    CHECK(fix.price.empty());
  }
}

}  // namespace

TEST_CASE("where every rank gets through its schedule, nothing is said about it") {
  CHECK(find(reportOf(specOf({})), "schedule-hangs") == nullptr);
  const auto spec = specOf({{.what = "zero_first"}, {.what = "ddp"}, {.what = "evaluation"}, {.what = "rank0_saves"}});
  CHECK(find(reportOf(spec), "schedule-hangs") == nullptr);
}

TEST_CASE("rank 0 that never joins the barrier of the others is named with where it waits, and a barrier mends it") {
  const PipelineSpec spec = specOf({{.what = "barrier", .at = "start", .condition = "rank != 0"},
                                    {.what = "host", .at = "start", .condition = "rank == 0"},
                                    {.what = "ddp"}});
  const Finding finding = need(reportOf(spec), "schedule-hangs");
  CHECK(finding.severity == Severity::Error);
  CHECK(finding.title == "The schedule hangs at the start");
  CHECK(finding.message ==
        "Ranks 1 to 3 wait in barrier at the start (schedule[0]). Rank 0 does not come: it waits in all_reduce "
        "of 1\u202f024\u202f000 bytes (avg) in epoch 0, step 0 (schedule[2]).");
  CHECK(finding.why ==
        "The ranks of a group must call the same collectives, in the same order and with the same size.");
  CHECK(finding.where.ranks == std::vector<std::int64_t>{1, 2, 3});
  CHECK_FALSE(finding.where.epoch);
  CHECK(finding.where.field == "schedule[0].do");
  REQUIRE(finding.fixes.size() == 1);  // if all called the first one, none would wait for what rank 0 does
  CHECK(finding.fixes[0].label == "Let the other ranks call barrier, too: {do: barrier, at: start, if: rank == 0}");
  checkFixes(spec, finding);
  PipelineSpec of_all = spec;  // as in zero_first: the others find what rank 0 has done
  of_all.schedule[1].condition = "always";
  CHECK(need(reportOf(of_all), "schedule-hangs").fixes.size() == 1);
  PipelineSpec no_work = spec;
  no_work.schedule.erase(no_work.schedule.begin() + 1);
  const Finding other = need(reportOf(no_work), "schedule-hangs");
  REQUIRE(other.fixes.size() == 2);
  CHECK(other.fixes[1].label == "Let every rank call barrier in schedule[0]");
  CHECK(other.fixes[1].edits == std::vector<Edit>{{"schedule[0].if", std::string("always")}});
  const auto fixed = applyEdits(spec, finding.fix()->edits, sampling::catalogue());
  REQUIRE(fixed);
  CHECK(fixed->schedule[2] == Phase{.what = "barrier", .at = "start", .condition = "rank == 0"});
}

TEST_CASE("a gather that only rank 0 calls is called by all") {
  const PipelineSpec spec = specOf(
      {{.what = "ddp"}, {.what = "all_gather", .at = "step", .condition = "rank == 0 and step % 2 == 1", .kb = 8}});
  const Finding finding = need(reportOf(spec), "schedule-hangs");
  CHECK(finding.title == "The schedule hangs in epoch 0, step 1");
  CHECK(finding.where.epoch == 0);
  CHECK(finding.where.step == 1);
  CHECK(finding.fix()->edits == std::vector<Edit>{{"schedule[1].if", std::string("step % 2 == 1")}});
  checkFixes(spec, finding);
}

TEST_CASE("ranks with fewer batches have finished, and what makes batches even mends the schedule") {
  PipelineSpec spec = specOf({{.what = "all_reduce"}});
  spec.dataset.size = 41;
  spec.epochs = 1;
  spec.sampler = {"mmengine.DefaultSampler", {{"round_up", false}}};
  spec.loader.batch_size = 1;
  const Finding finding = need(reportOf(spec), "schedule-hangs");
  CHECK(finding.message ==
        "Rank 0 waits in all_reduce (sum) in epoch 0, step 10 (schedule[0]). Ranks 1 to 3 never come: they "
        "have finished.");
  REQUIRE(finding.fix() != nullptr);
  for (const Fix& fix : finding.fixes) {
    const auto fixed = applyEdits(spec, fix.edits, sampling::catalogue());
    REQUIRE(fixed);
    CHECK(find(reportOf(*fixed), "schedule-hangs") == nullptr);
  }
}

TEST_CASE("of ranks with fewer batches, a schedule that all get through is told, and not that collectives wait") {
  PipelineSpec spec = specOf({{.what = "load"}});
  spec.dataset.size = 41;
  spec.sampler = {"mmengine.DefaultSampler", {{"round_up", false}}};
  spec.loader.batch_size = 1;
  const Finding out = need(reportOf(spec), "unequal-batches");
  CHECK(out.severity == Severity::Warning);
  CHECK(
      out.message ==
      "Ranks 1 to 3 have only 10 batches; the other rank has 11. With the schedule as given, every rank still gets to "
      "its end.");
  CHECK(out.why.find("Join") == std::string::npos);
  spec.schedule = {{.what = "ddp"}};
  CHECK(need(reportOf(spec), "unequal-batches").message.find("Any collective in step 10 waits") != std::string::npos);
  spec.dataset.size = 3;
  spec.schedule = {{.what = "load"}};
  CHECK(need(reportOf(spec), "empty-ranks").message ==
        "Rank 3 has no sample. With the schedule as given, every rank still gets to its end.");
  spec.dataset.size = 0;
  CHECK(need(reportOf(spec), "empty-ranks").severity == Severity::Error);
}

TEST_CASE("where ranks have equally many batches, no other number of them is offered") {
  PipelineSpec spec = specOf({{.what = "ddp"}, {.what = "barrier", .condition = "step == 3 and rank == 1"}});
  spec.world.ranks_per_node = 2;
  const Finding finding = need(reportOf(spec), "schedule-hangs");
  REQUIRE(finding.fixes.size() == 2);
  for (const Fix& fix : finding.fixes) CHECK(fix.edits.front().path.starts_with("schedule"));
}

TEST_CASE("operations say which group they are of where there are others than the world") {
  PipelineSpec spec = specOf({{.what = "all_reduce", .condition = "rank != 2", .group = "tensor", .kb = 8}});
  spec.world.groups.tensor = 2;
  CHECK(need(reportOf(spec), "schedule-hangs").message ==
        "Rank 3 waits in all_reduce of 8\u202f000 bytes (sum) in the tensor group [2, 3] in epoch 0, step 0 "
        "(schedule[0]). Rank 2 never comes: it has finished.");
  spec.schedule = {{.what = "barrier", .at = "start", .condition = "rank % 2 == 0"},
                   {.what = "barrier", .at = "start", .condition = "rank % 2 == 1", .group = "tensor"}};
  CHECK(need(reportOf(spec), "schedule-hangs").message ==
        "Ranks 0 and 2 wait in barrier in the world group at the start (schedule[0]). Ranks 1 and 3 do not come: they "
        "wait in barrier in their tensor groups at the start (schedule[1]).");
  spec.schedule = {{.what = "barrier", .at = "start", .condition = "rank != 3", .ranks = "[[0, 2], [1, 3]]"}};
  CHECK(need(reportOf(spec), "schedule-hangs").message ==
        "Rank 1 waits in barrier in group [1, 3] at the start (schedule[0]). Rank 3 never comes: it has finished.");
}

TEST_CASE("a broadcast that only its source calls may hang, and one of others, hangs") {
  PipelineSpec spec = specOf({{.what = "broadcast", .at = "end", .condition = "rank == 0"}});
  const Finding finding = need(reportOf(spec), "schedule-hangs");
  CHECK(finding.title == "The schedule may hang at the end");
  CHECK(finding.message ==
        "Rank 0 waits in broadcast from rank 0 at the end (schedule[0]). Ranks 1 to 3 never come: they have finished. "
        "Rank 0 may get further: MPI does not say whether a broadcast keeps its source, or a rank that has its data, "
        "until the others have called it.");
  checkFixes(spec, finding);
  CHECK(finding.why ==
        "A broadcast is certain to complete only when every rank of its group has called it. Either all of them must "
        "call it, or none.");
  spec.schedule[0].condition = "rank != 0";
  CHECK(need(reportOf(spec), "schedule-hangs").message ==
        "Ranks 1 to 3 wait in broadcast from rank 0 at the end (schedule[0]). Rank 0 never comes: it has finished.");
}

TEST_CASE("where a schedule hangs is said of ranks that get no further, whatever a broadcast does") {
  // Rank 1 has a broadcast to give, or finishes: rank 0 waits for it in either case.
  const Finding certain =
      need(reportOf(specOf({{.what = "recv", .at = "start", .condition = "rank == 0", .peer = std::int64_t{1}},
                            {.what = "broadcast", .at = "end", .condition = "rank == 1", .ranks = "[[1, 2]]"}})),
           "schedule-hangs");
  CHECK(certain.title == "The schedule hangs at the start");
  CHECK(certain.where.ranks == std::vector<std::int64_t>{0});
  CHECK(certain.message.starts_with(
      "Rank 0 waits in recv from rank 1 in the world group at the start (schedule[0]). Rank 1 does not come: it waits "
      "in broadcast from rank 1 in group [1, 2] at the end (schedule[1]). Rank 1 may get further: "));
  // Rank 0 waits in its broadcast or behind it, and the others wait for it in either case.
  const Finding both =
      need(reportOf(specOf({{.what = "broadcast", .condition = "rank == 0"}, {.what = "ddp"}})), "schedule-hangs");
  CHECK(both.title == "The schedule hangs in epoch 0, step 0");
  CHECK(both.where.step == 0);
  // Rank 0 waits in its first broadcast, or behind the last one.
  const Finding open = need(reportOf(specOf({{.what = "broadcast", .condition = "rank == 0"},
                                             {.what = "barrier", .at = "end", .condition = "rank == 0"}})),
                            "schedule-hangs");
  CHECK(open.title == "The schedule hangs");
  CHECK_FALSE(open.where.epoch);
  CHECK_FALSE(open.where.step);
}

TEST_CASE("ranks that wait for one another at different places are each said to be at their own") {
  const Finding found = need(reportOf(specOf({{.what = "barrier", .at = "start", .condition = "rank == 1"},
                                              {.what = "barrier", .at = "end", .condition = "rank in [2, 3]"}})),
                             "schedule-hangs");
  CHECK(found.message ==
        "Rank 1 waits in barrier at the start (schedule[0]). Ranks 2 and 3 wait in barrier at the end (schedule[1]). "
        "Rank 0 never comes: it has finished.");
}

TEST_CASE("a call that no rank makes, or that each makes alone, is named") {
  const AuditReport report =
      reportOf(specOf({{.what = "barrier", .condition = "rank == 9 and step == 1"},
                       {.what = "all_reduce", .condition = "rank == 0", .group = "tensor"},
                       {.what = "barrier", .at = "start", .condition = "rank == 1", .ranks = "[[0]]"},
                       {.what = "all_gather", .ranks = "[[0], [3]]"}}));
  const Finding none = need(report, "schedule-call-of-none");
  CHECK(none.severity == Severity::Warning);
  CHECK(none.message ==
        "No rank of its groups meets the condition of barrier in schedule[0]: rank == 9 and step == 1. No rank of its "
        "groups meets the condition of barrier in schedule[2]: rank == 1.");
  CHECK(none.where.field == "schedule[0].if");
  CHECK(none.fixes.empty());
  const Finding alone = need(report, "schedule-call-alone");
  CHECK(alone.message ==
        "In schedule[1], each rank that calls all_reduce is alone in its tensor group. In schedule[3], each rank that "
        "calls all_gather is alone in its group.");
  PipelineSpec spec = specOf({{.what = "zero_first"}, {.what = "ddp"}, {.what = "barrier", .condition = "rank == 3"}});
  CHECK(find(reportOf(spec), "schedule-call-of-none") == nullptr);
  CHECK(find(reportOf(spec), "schedule-call-alone") == nullptr);
  spec.schedule = {{.what = "barrier", .condition = "rank != 0"}};
  spec.world.ranks_per_node = 1;  // a script for several ranks that runs on one
  CHECK(find(reportOf(spec), "schedule-call-of-none") == nullptr);
}

TEST_CASE("a schedule that is too long to follow where its broadcasts let go may hang") {
  PipelineSpec spec = specOf({{.what = "broadcast", .condition = "rank == 0"}});
  spec.dataset.size = 404'000;
  spec.loader.batch_size = 1;
  spec.epochs = 1;
  const Finding finding = need(reportOf(spec, {.fixes = false}), "schedule-hangs");
  CHECK(finding.title == "The schedule may hang in epoch 0, step 0");
  CHECK(finding.message ==
        "Rank 0 waits in broadcast from rank 0 in epoch 0, step 0 (schedule[0]). Ranks 1 to 3 never come: they have "
        "finished. Whether every rank finishes where no broadcast keeps it is not known: the schedule is too long.");
}

TEST_CASE("a schedule that cannot be followed leaves open whether it hangs") {
  const Result<std::optional<schedule::Hang>> unknown = schedule::tooLong();
  const AuditReport report = reportOf(specOf({{.what = "ddp"}}), {.hang = &unknown});
  const Finding finding = need(report, "schedule-not-followed");
  CHECK(finding.severity == Severity::Info);
  CHECK(finding.title == "Whether the schedule hangs is not known");
  CHECK(finding.message == "The schedule is too long to be followed.");
  CHECK(finding.leaves_open);
  CHECK(finding.fixes.empty());
  CHECK(find(reportOf(specOf({{.what = "ddp"}})), "schedule-not-followed") == nullptr);
}

TEST_CASE("a ring in which all send first waits for itself") {
  const Finding finding =
      need(reportOf(specOf({{.what = "send", .kb = 1}, {.what = "recv", .peer = std::string("previous"), .kb = 1}})),
           "schedule-hangs");
  CHECK(finding.message ==
        "Rank 0 waits in send of 1\u202f000 bytes to rank 1 in epoch 0, step 0 (schedule[0]). Rank 1 does not come: it "
        "waits in send of 1\u202f000 bytes to rank 2 in epoch 0, step 0 (schedule[0]).");
  CHECK(finding.fixes.empty());
  const auto odd_receive_first = specOf({{.what = "send", .condition = "rank % 2 == 0"},
                                         {.what = "recv", .peer = std::string("previous")},
                                         {.what = "send", .condition = "rank % 2 == 1"}});
  CHECK(find(reportOf(odd_receive_first), "schedule-hangs") == nullptr);
}

TEST_CASE("calls that differ in their reduction or size are not said to hang") {
  const auto titleOf = [](std::vector<Phase> schedule) {
    return need(reportOf(specOf(std::move(schedule)), {.fixes = false}), "schedule-hangs").title;
  };
  const Phase sum{.what = "all_reduce", .at = "end", .condition = "rank != 3"};
  const Phase max{.what = "all_reduce", .at = "end", .condition = "rank == 3", .op = "max"};
  CHECK(titleOf({sum, max}) == "The calls of the ranks do not match at the end");
  CHECK(titleOf({sum, {.what = "barrier", .at = "end", .condition = "rank == 3"}}) == "The schedule hangs at the end");
  const Phase send{.what = "send", .at = "start", .condition = "rank == 0", .peer = std::int64_t{1}, .kb = 1};
  const Phase recv{.what = "recv", .at = "start", .condition = "rank == 1", .peer = std::int64_t{0}, .kb = 2};
  CHECK(titleOf({send, recv}) == "The calls of the ranks do not match at the start");
  // Rank 2 never comes.
  CHECK(titleOf({{.what = "all_reduce", .at = "end", .condition = "rank in [0, 1]"}, max}) ==
        "The schedule hangs at the end");
}

TEST_CASE("a rank in the same call of another kind is said to call it otherwise, and not to stay away") {
  const auto messageOf = [](std::vector<Phase> schedule) {
    return need(reportOf(specOf(std::move(schedule)), {.fixes = false}), "schedule-hangs").message;
  };
  const Phase sum{.what = "all_reduce", .at = "end", .condition = "rank != 3"};
  CHECK(
      messageOf({sum, {.what = "all_reduce", .at = "end", .condition = "rank == 3", .op = "max"}}) ==
      "Ranks 0 to 2 wait in all_reduce (sum) at the end (schedule[0]). Rank 3 calls it otherwise: all_reduce (max) at "
      "the end (schedule[1]).");
  CHECK(messageOf({{.what = "broadcast", .at = "end", .condition = "rank < 2", .kb = 1},
                   {.what = "broadcast", .at = "end", .condition = "rank >= 2", .kb = 2}})
            .find(" Ranks 2 and 3 call it otherwise: broadcast of 2\u202f000 bytes from rank 0 at the end "
                  "(schedule[1]).") != std::string::npos);
  CHECK(messageOf({{.what = "send", .at = "start", .condition = "rank == 0", .peer = std::int64_t{1}, .kb = 1},
                   {.what = "recv", .at = "start", .condition = "rank == 1", .peer = std::int64_t{0}, .kb = 2}})
            .ends_with(" Rank 1 answers with another size: recv of 2\u202f000 bytes from rank 0 at the start "
                       "(schedule[1])."));
  CHECK(messageOf({sum, {.what = "barrier", .at = "end", .condition = "rank == 3"}})
            .find("Rank 3 does not come: it waits in barrier") != std::string::npos);
}

TEST_CASE("why a message is never exchanged depends on what the other rank does") {
  const Phase send{.what = "send", .condition = "rank == 0", .peer = std::int64_t{1}, .kb = 1};
  const Phase recv{.what = "recv", .condition = "rank == 1", .peer = std::int64_t{0}, .kb = 2};
  CHECK(whyItHangs({send, recv}) == "Give the send and its recv the same size.");
  for (const Phase& alone : {send, recv})
    CHECK(whyItHangs({alone}) == "Each send needs a recv on the other rank, and each recv a send.");
  const std::string late_send =
      "A recv waits until its send begins. Let the other rank send before it waits for something else.";
  CHECK(whyItHangs({{.what = "recv"}}) == late_send);
  CHECK(whyItHangs({recv, {.what = "barrier", .condition = "rank == 0", .ranks = "[[0, 1]]"}}) == late_send);
  CHECK(whyItHangs({{.what = "send"}}) ==
        "A send is assumed to wait until its recv of the same size begins; a buffer may let a small message through. "
        "Let one of the ranks receive first.");
}

TEST_CASE("ranks that call the barriers of their groups in different orders are to call each before they wait") {
  const auto barrierOf = [](const char* ranks, const char* rank, const char* at) {
    return Phase{.what = "barrier", .at = at, .condition = std::string("rank == ") + rank, .ranks = ranks};
  };
  CHECK(whyItHangs({barrierOf("[[0, 1]]", "0", "start"), barrierOf("[[1, 2]]", "1", "start"),
                    barrierOf("[[0, 2]]", "2", "start"), barrierOf("[[0, 1]]", "1", "end"),
                    barrierOf("[[1, 2]]", "2", "end"), barrierOf("[[0, 2]]", "0", "end")}) ==
        "A collective completes when every rank of its group has called it. Let the others call it before they wait "
        "for something else, or let no rank call it.");
}
