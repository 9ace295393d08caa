// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"
#include "core/spec/validate.h"
#include "tests/core/spec/samplers.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace shardlens;
using enum Parallelism;

namespace {

using Groups = std::set<std::vector<std::int64_t>>;

Groups allGroups(const ParallelGroups& groups, Parallelism along, std::int64_t world) {
  Groups all;
  for (Rank rank{0}; rank.value < world; ++rank) {
    std::vector<std::int64_t> ranks;
    for (const Rank peer : groups.groupOf(rank, along, world)) ranks.push_back(peer.value);
    all.insert(ranks);
  }
  return all;
}

}  // namespace

TEST_CASE("the groups are those that Megatron's initialize_model_parallel names for 16 ranks") {
  const ParallelGroups groups{.tensor = 2, .pipeline = 4};
  CHECK(allGroups(groups, Data, 16) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}});
  CHECK(allGroups(groups, Tensor, 16) == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
  CHECK(allGroups(groups, Pipeline, 16) == Groups{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}});
}

TEST_CASE("with --use-tp-pp-dp-mapping the pipeline varies faster than the data") {
  const ParallelGroups groups{.tensor = 2, .pipeline = 2, .order = kPipelineThenData};
  CHECK(allGroups(groups, Tensor, 8) == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(allGroups(groups, Pipeline, 8) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  CHECK(allGroups(groups, Data, 8) == Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
}

TEST_CASE("experts divide the same world, with ep in the place of cp") {
  const ParallelGroups tensor{.tensor = 2, .expert = 4};  // expert data 16 / (2 * 4) = 2
  CHECK(allGroups(tensor, ExpertTensor, 16) == allGroups(tensor, Tensor, 16));
  CHECK(allGroups(tensor, Expert, 16) == Groups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}});
  CHECK(allGroups(tensor, ExpertData, 16) ==
        Groups{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}});
  CHECK(allGroups(tensor, Data, 16) == Groups{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}});
  const ParallelGroups pipeline{.pipeline = 2, .expert = 2};  // expert data 8 / (1 * 2 * 2) = 2
  CHECK(allGroups(pipeline, Expert, 8) == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(allGroups(pipeline, ExpertData, 8) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
  CHECK(allGroups(pipeline, Pipeline, 8) == Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  const ParallelGroups whole{.tensor = 4, .expert = 8, .expert_tensor = 1};  // expert data 16 / (1 * 8) = 2
  CHECK(allGroups(whole, Expert, 16) == Groups{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}});
  CHECK(whole.sizeAlong(ExpertData, 16) == 2);
  const ParallelGroups slow{2, 2, 2, kPipelineThenData, 2};  // expert data 16 / (2 * 2 * 2) = 2
  CHECK(allGroups(slow, Expert, 16) == Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}});
  CHECK(allGroups(slow, ExpertData, 16) == allGroups(tensor, ExpertData, 16));
}

TEST_CASE("without experts, ranks with the same part of a layer are one expert_data group") {
  const ParallelGroups groups{.tensor = 2, .context = 2};
  CHECK(allGroups(groups, Expert, 8) == Groups{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}});
  CHECK(allGroups(groups, ExpertData, 8) == Groups{{0, 2, 4, 6}, {1, 3, 5, 7}});
}

TEST_CASE("experts change no data-parallel rank, and each rank has a place in their layers") {
  const PipelineSpec::World world{2, 8, {.tensor = 2, .expert = 4}};
  const PipelineSpec::World without{2, 8, {.tensor = 2}};
  CHECK(world.dataParallelSize() == without.dataParallelSize());
  for (Rank rank{0}; rank.value < 16; ++rank) {
    CHECK(world.dataParallelRankOf(rank) == without.dataParallelRankOf(rank));
    const RankCoordinates at = world.groups.coordinatesOf(rank, 16);
    CHECK(at[ExpertTensor] + 2 * (at[Expert] + 4 * at[ExpertData]) == rank.value);
  }
  CHECK(world.sizeOf("expert") == 4);
  CHECK(world.groupOf("expert_data", Rank{3}) == std::vector{Rank{3}, Rank{11}});
}

TEST_CASE("ranks count through the coordinates, the first of the order fastest") {
  for (const bool pipeline_first : {false, true}) {
    const ParallelGroups groups{3, 2, 4, pipeline_first ? kPipelineThenData : kDataThenPipeline};
    const std::int64_t data = 5;
    const std::int64_t world = data * groups.ranksOfModel();
    CHECK(groups.sizeAlong(Data, world) == data);
    Rank rank{0};
    for (std::int64_t slow = 0; slow < (pipeline_first ? data : 4); ++slow) {
      for (std::int64_t mid = 0; mid < (pipeline_first ? 4 : data); ++mid) {
        for (std::int64_t context = 0; context < 2; ++context) {
          for (std::int64_t tensor = 0; tensor < 3; ++tensor, ++rank) {
            const RankCoordinates at = groups.coordinatesOf(rank, world);
            CHECK(at[Tensor] == tensor);
            CHECK(at[Context] == context);
            CHECK(at[Data] == (pipeline_first ? slow : mid));
            CHECK(at[Pipeline] == (pipeline_first ? mid : slow));
          }
        }
      }
    }
    CHECK(rank.value == world);
  }
}

TEST_CASE("a world without groups is all data-parallel") {
  const PipelineSpec::World world{2, 4};
  CHECK(world.dataParallelSize() == 8);
  for (Rank rank{0}; rank.value < 8; ++rank) {
    CHECK(world.dataParallelRankOf(rank) == rank.value);
    CHECK(ParallelGroups().coordinatesOf(rank, 8)[Data] == rank.value);
    CHECK(ParallelGroups().groupOf(rank, Tensor, 8) == std::vector{rank});
  }
}

TEST_CASE("a script may pass the data-parallel rank and size by name") {
  const PipelineSpec::World world{2, 4, {.tensor = 2, .pipeline = 2}};
  CHECK(world.dataParallelSize() == 2);
  CHECK(world.numberNamed("data_parallel_size", Rank{0}) == 2);
  const std::vector<std::int64_t> replicas = {0, 0, 1, 1, 0, 0, 1, 1};
  for (Rank rank{0}; rank.value < 8; ++rank)
    CHECK(world.numberNamed("data_parallel_rank", rank) == replicas[static_cast<std::size_t>(rank.value)]);
}

TEST_CASE("a text names the groups that there are") {
  const ParallelGroups groups{.tensor = 2, .pipeline = 2};
  CHECK(groups.text(16) == "tensor 2, data 4, pipeline 2");
  CHECK(groups.placesText(Rank{11}, 16) == "tensor 1, data 1, pipeline 1");
  CHECK(ParallelGroups{.context = 4}.text(4) == "context 4, data 1");
  CHECK(ParallelGroups{.expert = 4}.text(8) == "data 8, expert 4, expert_data 2");
  CHECK(ParallelGroups{.expert = 4}.placesText(Rank{6}, 8) == "data 6, expert 2, expert_data 1");
  CHECK(ParallelGroups{.tensor = 2, .expert = 2}.text(8) ==
        "tensor 2, data 4, expert_tensor 2, expert 2, expert_data 2");
}

TEST_CASE("groups that do not divide the world are refused, with what mends them") {
  PipelineSpec spec;
  spec.sampler.type = "torch.A";
  spec.world = {1, 8, {.tensor = 2, .pipeline = 3}};
  const Issues issues = validate(spec, test::twoSamplers());
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].place.field == "world.groups");
  CHECK(issues[0].message == "tensor 2 × context 1 × pipeline 3 make 6 ranks, which do not divide 8.");
  CHECK(problemsOf(spec.world).size() == 1);
  const std::vector<Edit> fits = {{"world.groups.pipeline", std::int64_t{4}}};
  CHECK(validate(*applyEdits(spec, fits, test::twoSamplers()), test::twoSamplers()).empty());
  const std::vector<Edit> none = {{"world.groups.tensor", std::int64_t{0}}};
  CHECK_FALSE(applyEdits(spec, none, test::twoSamplers()));
}

TEST_CASE("groups of experts that do not divide the world, or have other pipeline groups, are refused") {
  const auto wrong = [](const ParallelGroups& groups) {
    const Issues issues = problemsOf(PipelineSpec::World{1, 8, groups});
    return issues.empty() ? std::string() : issues[0].place.field + ": " + issues[0].message;
  };
  CHECK(wrong({.tensor = 2, .expert = 3}) ==
        "world.groups.expert: expert_tensor 2 × expert 3 × pipeline 1 make 6 ranks, which do not divide 8.");
  CHECK(wrong({.expert = 16}) ==
        "world.groups.expert: expert_tensor 1 × expert 16 × pipeline 1 make 16 ranks, which do not divide 8.");
  CHECK(wrong({1, 1, 2, kPipelineThenData, 2}) ==
        "world.groups.order: with tp-cp-pp-dp, expert_tensor 1 × expert 2 must be tensor 1 × context 1.");
  CHECK(wrong({1, 2, 2, kPipelineThenData, 2}).empty());
  CHECK(wrong({1, 2, 2, kPipelineThenData}).empty());
  CHECK(wrong({1, 1, 1, kPipelineThenData, 2}).empty());
  CHECK(wrong({.tensor = 4, .expert = 8, .expert_tensor = 1}).empty());
  CHECK_FALSE(wrong({.expert = 0}).empty());
}

TEST_CASE("a phase of expert_data groups needs the same pipeline groups for all layers, also without experts") {
  PipelineSpec spec;
  spec.sampler.type = "torch.A";
  spec.world = {1, 8, {1, 2, 2, kPipelineThenData}};
  for (const char* group : {"expert", "data", "pipeline", "context"}) {
    spec.schedule = {{.what = "all_reduce", .group = group}};
    CHECK(validate(spec, test::twoSamplers()).empty());
  }
  spec.schedule[0].group = "expert_data";
  const Issues issues = validate(spec, test::twoSamplers());
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].place.field == "schedule[0].group");
  CHECK(issues[0].message == "with tp-cp-pp-dp, expert_tensor 1 × expert 1 must be tensor 1 × context 2.");
  PipelineSpec with_experts = spec;
  with_experts.world.groups = {1, 1, 2, kPipelineThenData, 2};
  CHECK(validate(with_experts, test::twoSamplers()).size() == 1);  // of the world alone
  for (const ParallelGroups& groups : {ParallelGroups{1, 2, 2}, ParallelGroups{2, 1, 2, kPipelineThenData}}) {
    spec.world.groups = groups;
    CHECK(validate(spec, test::twoSamplers()).empty());
    for (Rank rank{0}; rank.value < 8; ++rank) {
      for (const Rank other : spec.world.groupOf("expert_data", rank))
        CHECK(groups.coordinatesOf(other, 8)[Pipeline] == groups.coordinatesOf(rank, 8)[Pipeline]);
    }
  }
}
