// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/schedule.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace shardlens;
using namespace shardlens::schedule;
using Phase = PipelineSpec::Phase;

namespace {

/// 16 samples, batches of 2, 4 ranks: 2 steps an epoch, 2 epochs.
PipelineSpec specOf(std::vector<Phase> phases) {
  PipelineSpec spec;
  spec.world.ranks_per_node = 4;
  spec.schedule = std::move(phases);
  return spec;
}

Plan planOf(const PipelineSpec& spec) {
  auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  return *plan;
}

std::optional<Hang> hangIn(const PipelineSpec& spec) {
  const auto hang = hangOf(planOf(spec));
  REQUIRE(hang);
  return *hang;
}

/// The same, followed from the first operation to the last.
std::optional<Hang> hangByAll(const PipelineSpec& spec) {
  const Schedule schedule(planOf(spec));
  std::vector<Cursor> cursors(static_cast<std::size_t>(spec.worldSize()));
  std::int64_t looks = 100'000'000;
  const auto hang = findHang(spec.worldSize(), schedule.groups(), [&](Rank rank) {
    return schedule.next(rank, cursors[static_cast<std::size_t>(rank.value)], looks);
  });
  REQUIRE(hang);
  return *hang;
}

/// "barrier all_reduce": what the rank does.
std::string namesOf(const PipelineSpec& spec, std::int64_t rank) {
  const Schedule schedule(planOf(spec));
  Cursor cursor;
  std::int64_t looks = 100'000;
  std::string names;
  for (;;) {
    const auto next = schedule.next(Rank{rank}, cursor, looks);
    REQUIRE(next);
    if (!*next) return names;
    names += (names.empty() ? "" : " ") + std::string(nameOf((*next)->kind));
  }
}

/// Nothing that it calls is wrong, but the ranks may not agree.
Phase randomPhase(std::mt19937_64& random) {
  const auto oneOf = [&](const std::vector<const char*>& all) { return std::string(all[random() % all.size()]); };
  Phase phase{.what = oneOf({"all_reduce", "all_gather", "barrier", "broadcast", "send", "recv", "host", "ddp"})};
  if (phase.isPreset()) return phase;
  phase.at = oneOf({"start", "epoch_start", "step", "step", "epoch_end", "end"});
  phase.group = oneOf({"world", "tensor", "data"});
  if (phase.group == "world" && random() % 3 == 0) phase.ranks = oneOf({"[[0, 2], [1, 3]]", "[[3, 1]]"});
  phase.peer = oneOf({"next", "previous"});
  const bool is_step = phase.at == "step";
  phase.condition = oneOf({"always", "always", "always", "rank == 0", "local_rank != 0", "group_rank == last",
                           is_step ? "step % 2 == 0" : "always", is_step ? "step < 3 and rank in [0, 1]" : "node == 0",
                           is_step ? "epoch == 1" : "data_parallel_rank == 0"});
  return phase;
}

}  // namespace

TEST_CASE("a rank does the phases of each moment in their order, in as many steps as it has batches") {
  const PipelineSpec spec = specOf({{.what = "barrier", .at = "start", .condition = "rank != 0"},
                                    {.what = "load"},
                                    {.what = "all_reduce", .condition = "step % 2 == 1"},
                                    {.what = "host", .at = "epoch_end", .condition = "rank == last"},
                                    {.what = "all_gather", .at = "epoch_start", .condition = "epoch > 0"},
                                    {.what = "broadcast", .at = "end", .condition = "rank in [0, 3]"}});
  CHECK(namesOf(spec, 0) == "load load all_reduce all_gather load load all_reduce broadcast");
  CHECK(namesOf(spec, 1) == "barrier load load all_reduce all_gather load load all_reduce");
  CHECK(namesOf(spec, 3) == "barrier load load all_reduce host all_gather load load all_reduce host broadcast");
}

TEST_CASE("groups, peers and sizes come from the world and the line") {
  PipelineSpec spec = specOf({{.what = "send", .at = "start", .group = "tensor", .kb = 3},
                              {.what = "all_reduce", .at = "start", .group = "data", .op = "avg", .kb = 5}});
  spec.world.groups.tensor = 2;
  spec.sampler.parameters = {{"num_replicas", std::string("data_parallel_size")},
                             {"rank", std::string("data_parallel_rank")}};
  const Schedule schedule(planOf(spec));
  const auto& phases = schedule.phasesAt(At::Start);
  REQUIRE(phases.size() == 2);
  const auto send = schedule.operation(phases[0], Rank{3}, {});
  REQUIRE(send);
  CHECK(send->peer == Rank{2});
  CHECK(send->bytes == 3000);
  CHECK(schedule.groups()[send->group] == Group{{2}, {3}});
  const auto reduce = schedule.operation(phases[1], Rank{3}, {});
  REQUIRE(reduce);
  CHECK(reduce->reduction == Reduction::Avg);
  CHECK(reduce->line == 1);
  CHECK(schedule.groups()[reduce->group] == Group{{1}, {3}});
}

TEST_CASE("a phase may be called in the groups of experts") {
  PipelineSpec spec = specOf({{.what = "all_to_all", .at = "start", .group = "expert"},
                              {.what = "all_reduce", .at = "start", .group = "expert_data"}});
  spec.world.groups.expert = 2;
  CHECK(Schedule(planOf(spec)).groups() == std::vector<Group>{{{0}, {1}}, {{2}, {3}}, {{0}, {2}}, {{1}, {3}}});
  CHECK_FALSE(hangIn(spec));
}

TEST_CASE("groups may be lists of ranks, and who is in none of them leaves the phase out") {
  const PipelineSpec spec =
      specOf({{.what = "send", .at = "start", .condition = "group_rank == 0", .ranks = "[[3, 1]]"},
              {.what = "recv",
               .at = "start",
               .condition = "group_rank == last",
               .ranks = "[[3, 1]]",
               .peer = std::string("previous")},
              {.what = "barrier", .at = "end", .ranks = "[[0, 1, 2, 3]]"}});
  const Schedule schedule(planOf(spec));
  CHECK(schedule.groups() == std::vector<Group>{{{1}, {3}}, {{0}, {1}, {2}, {3}}});
  CHECK(namesOf(spec, 0) == "barrier");
  CHECK(namesOf(spec, 1) == "send barrier");
  CHECK(namesOf(spec, 3) == "recv barrier");
  CHECK(schedule.operation(schedule.phasesAt(At::Start)[0], Rank{1}, {})->peer == Rank{3});
  CHECK_FALSE(hangIn(spec));
  const auto hang = hangIn(specOf({{.what = "barrier", .condition = "rank != 3", .ranks = "[[0, 1], [2, 3]]"}}));
  REQUIRE(hang);
  CHECK(hang->waiting == std::vector<Rank>{{2}});
  CHECK(hang->absent == std::vector<Absent>{{{3}, {}}});
}

TEST_CASE("presets end on every rank, alone and together, also where epochs differ in length between ranks") {
  PipelineSpec spec =
      specOf({{.what = "zero_first"}, {.what = "ddp"}, {.what = "evaluation"}, {.what = "rank0_saves"}});
  CHECK(namesOf(spec, 0) ==
        "host barrier load compute all_reduce load compute all_reduce compute all_gather host barrier "
        "load compute all_reduce load compute all_reduce compute all_gather host barrier");
  CHECK_FALSE(hangIn(spec));
  spec.world.nodes = 2;
  CHECK_FALSE(hangIn(spec));
  spec.schedule = {{.what = "zero_first"}, {.what = "evaluation"}, {.what = "rank0_saves"}};
  spec.dataset.size = 41;
  spec.loader.batch_size = 1;
  spec.sampler = {"mmengine.DefaultSampler", {{"round_up", false}}};
  CHECK_FALSE(hangIn(spec));
}

TEST_CASE("the first rank that never calls the barrier of the others is absent, and where it waits is known") {
  const PipelineSpec spec = specOf({{.what = "barrier", .at = "start", .condition = "local_rank != 0"},
                                    {.what = "host", .at = "start", .condition = "local_rank == 0"},
                                    {.what = "ddp"}});
  const auto hang = hangIn(spec);
  REQUIRE(hang);
  CHECK(hang->operation.line == 0);
  CHECK(hang->operation.moment.at == At::Start);
  CHECK(hang->waiting == std::vector<Rank>{{1}, {2}, {3}});
  REQUIRE(hang->absent.size() == 1);
  CHECK(hang->absent[0].rank == Rank{0});
  CHECK(hang->absent[0].waits_in->kind == Kind::AllReduce);
  CHECK(hang->absent[0].waits_in->moment == Moment{Epoch{0}, At::Step, Step{0}});
}

TEST_CASE("fsdp gathers the shards of the parameters and scatters the gradients, in the copies' groups") {
  PipelineSpec spec = specOf({{.what = "fsdp"}});
  CHECK_FALSE(hangIn(spec));
  CHECK(hasPhase(spec, Kind::AllGather));
  CHECK(hasPhase(spec, Kind::ReduceScatter));
  CHECK_FALSE(hasPhase(spec, Kind::AllReduce));
  spec.dataset.size = 13;
  spec.loader.batch_size = 1;
  spec.sampler = {"mmengine.DefaultSampler", {{"round_up", false}}};
  const auto hang = hangIn(spec);
  REQUIRE(hang);
  CHECK(hang->operation.kind == Kind::AllGather);
  CHECK(hang->operation.bytes == 256'000);  // a quarter of run.gradient_kb
}

TEST_CASE("a rank that runs out of batches is absent: it has finished, or it waits behind its last epoch") {
  PipelineSpec spec = specOf({{.what = "all_reduce"}});
  spec.dataset.size = 13;
  spec.epochs = 1;
  spec.loader.batch_size = 1;
  spec.sampler = {"torch.DistributedSampler", {}};
  CHECK_FALSE(hangIn(spec));  // it pads
  spec.dataset.size = 5;
  spec.sampler = {"mmengine.DefaultSampler", {{"round_up", false}}};
  const auto hang = hangIn(spec);
  REQUIRE(hang);
  CHECK(hang->waiting == std::vector<Rank>{{0}});
  CHECK(hang->absent == std::vector<Absent>{{{1}, {}}, {{2}, {}}, {{3}, {}}});
  spec.schedule.push_back({.what = "barrier", .at = "end"});
  const auto later = hangIn(spec);
  REQUIRE(later);
  CHECK(later->cause == Hang::Cause::Differs);
  CHECK(later->absent[0].waits_in->kind == Kind::Barrier);
}

TEST_CASE("following like moments once finds what following every operation finds") {
  std::mt19937_64 random(7);
  int hangs = 0;
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    PipelineSpec spec = specOf({});
    for (std::size_t phases = 1 + random() % 4; phases > 0; --phases) spec.schedule.push_back(randomPhase(random));
    spec.world.nodes = 1 + static_cast<std::int64_t>(random() % 2);
    spec.world.groups.tensor = 1 + static_cast<std::int64_t>(random() % 2);
    spec.dataset.size = static_cast<std::int64_t>(random() % 60);
    spec.epochs = 3;
    spec.loader.batch_size = 1;
    if (random() % 2 == 0) spec.sampler = {"mmengine.DefaultSampler", {{"round_up", random() % 2 == 0}}};
    if (spec.sampler.type == "torch.DistributedSampler")
      spec.sampler.parameters = {{"num_replicas", std::string("data_parallel_size")},
                                 {"rank", std::string("data_parallel_rank")}};
    if (!Plan::make(spec)) continue;
    const auto hang = hangIn(spec);
    CHECK(hang == hangByAll(spec));
    if (hang) ++hangs;
  }
  CHECK(hangs > 200);
  CHECK(hangs < 900);
}

TEST_CASE("a job gets through where ranks make the same calls at different moments") {
  CHECK_FALSE(hangIn(specOf({{.what = "barrier", .at = "start", .condition = "rank != 0"},
                             {.what = "barrier", .at = "end", .condition = "rank == 0"}})));
  PipelineSpec spec = specOf({{.what = "barrier", .at = "start", .condition = "rank != 0"},
                              {.what = "barrier", .at = "epoch_start", .condition = "rank == 0"},
                              {.what = "ddp"}});
  spec.epochs = 1;
  CHECK_FALSE(hangIn(spec));
  spec.schedule = {{.what = "send", .at = "start", .condition = "rank == 0"},
                   {.what = "recv", .at = "epoch_start", .condition = "rank == 1", .peer = std::string("previous")}};
  CHECK_FALSE(hangIn(spec));
  spec.epochs = 2;
  CHECK(hangIn(spec));  // rank 1 receives in each epoch
}

TEST_CASE("calls that meet across moments are followed as every operation is") {
  std::mt19937_64 random(8);
  const auto oneOf = [&](const std::vector<const char*>& all) { return std::string(all[random() % all.size()]); };
  int get_through = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const std::string what = oneOf({"barrier", "all_gather", "broadcast"});
    PipelineSpec spec = specOf({{.what = what, .at = oneOf({"start", "epoch_end"}), .condition = "rank != 0"},
                                {.what = what, .at = oneOf({"epoch_start", "end"}), .condition = "rank == 0"}});
    for (std::size_t others = random() % 3; others > 0; --others) spec.schedule.push_back(randomPhase(random));
    spec.epochs = 1 + static_cast<std::int64_t>(random() % 2);
    if (!Plan::make(spec)) continue;
    const auto hang = hangIn(spec);
    CHECK(hang == hangByAll(spec));
    if (!hang) ++get_through;
  }
  CHECK(get_through > 30);
}

TEST_CASE("long jobs are followed as far as their moments differ") {
  PipelineSpec spec = specOf({{.what = "ddp"}, {.what = "rank0_saves"}});
  spec.dataset.size = 1'000'000'000;
  spec.loader.batch_size = 1;
  spec.epochs = 1000;
  CHECK_FALSE(hangIn(spec));
}

TEST_CASE("ranks that differ in what they call stand still, wherever that let them come to") {
  // Rank 0 broadcasts before the barrier, the others after it, and all of them left the first of the two.
  const Schedule apart(planOf(specOf({{.what = "broadcast", .at = "start", .condition = "rank == 0"},
                                      {.what = "barrier", .at = "start"},
                                      {.what = "broadcast", .at = "start", .condition = "rank != 0"}})));
  for (const std::int64_t left : {0, 1}) CHECK(*canAnyLeave(apart, {left, left, left, left}) == false);
  const Schedule uneven(planOf(specOf({{.what = "all_gather", .at = "start", .condition = "rank == 0", .kb = 1},
                                       {.what = "all_gather", .at = "start", .condition = "rank != 0", .kb = 50}})));
  CHECK(*canAnyLeave(uneven, {0, 0, 0, 0}) == false);
}

TEST_CASE("who is in what all have called, or some have left, can leave it") {
  const Schedule schedule(
      planOf(specOf({{.what = "all_gather", .at = "start"},
                     {.what = "send", .at = "start", .condition = "rank == 0"},
                     {.what = "recv", .at = "start", .condition = "rank == 1", .peer = std::string("previous")},
                     {.what = "barrier", .at = "end", .condition = "rank != 3"}})));
  CHECK(*canAnyLeave(schedule, {0, 0, 0, 0}) == true);
  CHECK(*canAnyLeave(schedule, {1, 0, 1, 1}) == true);   // rank 1 has not left the all_gather
  CHECK(*canAnyLeave(schedule, {1, 2, 1, 1}) == true);   // rank 0 has not left its send
  CHECK(*canAnyLeave(schedule, {2, 2, 1, 1}) == false);  // rank 3 has finished
  CHECK(*canAnyLeave(schedule, {3, 3, 2, 1}) == false);  // all have
}
