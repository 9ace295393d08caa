// SPDX-License-Identifier: Apache-2.0
#include "core/spec/edit.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"
#include "tests/core/spec/samplers.h"

#include <doctest/doctest.h>

#include <vector>

using namespace shardlens;

namespace {

PipelineSpec::World worldOf(const IndexList& ranks) {
  PipelineSpec::World world{static_cast<std::int64_t>(ranks.size()), RanksPerNode(ranks)};
  return world;
}

}  // namespace

TEST_CASE("ranks are numbered node by node, whatever the nodes have") {
  for (const IndexList& ranks : {IndexList{2, 1}, IndexList{1, 4, 2}, IndexList{3, 3}, IndexList{5}}) {
    const PipelineSpec::World world = worldOf(ranks);
    CHECK(world.nodes == static_cast<std::int64_t>(ranks.size()));
    std::int64_t rank = 0;
    for (std::int64_t node = 0; node < world.nodes; ++node) {
      CHECK(world.firstRankOn(node) == rank);
      CHECK(world.ranksOn(node) == ranks[static_cast<std::size_t>(node)]);
      for (std::int64_t local = 0; local < world.ranksOn(node); ++local, ++rank) {
        CHECK(world.nodeOf(Rank{rank}) == node);
        CHECK(world.localRankOf(Rank{rank}) == local);
      }
    }
    CHECK(world.size() == rank);
  }
}

TEST_CASE("a list of equal numbers is a world like that of one number") {
  const PipelineSpec::World listed = worldOf({3, 3});
  const PipelineSpec::World plain{2, 3};
  CHECK(listed.ranks_per_node.ofEveryNode() == 3);
  CHECK(listed.text() == plain.text());
  CHECK(listed.mostRanksOnNode() == plain.mostRanksOnNode());
  for (Rank rank{0}; rank.value < plain.size(); ++rank) {
    for (const char* name : {"world_size", "nodes", "ranks_per_node", "rank", "local_rank", "node", kNodesTimesRanks}) {
      CAPTURE(name);
      CHECK(listed.numberNamed(name, rank) == plain.numberNamed(name, rank));
    }
  }
  CHECK_FALSE(worldOf({2, 1}).ranks_per_node.ofEveryNode());
}

TEST_CASE("a name stands for a number of the rank's own node") {
  const PipelineSpec::World world = worldOf({2, 1});
  CHECK(world.numberNamed("ranks_per_node", Rank{1}) == 2);
  CHECK(world.numberNamed("ranks_per_node", Rank{2}) == 1);
  CHECK(world.numberNamed(kNodesTimesRanks, Rank{0}) == 4);
  CHECK(world.numberNamed(kNodesTimesRanks, Rank{2}) == 2);
  CHECK(world.numberNamed("world_size", Rank{2}) == 3);
  CHECK(world.text() == "2 + 1");
}

TEST_CASE("an edit to a list counts the nodes, and other edits keep the list") {
  const SamplerCatalogue samplers = test::twoSamplers();
  PipelineSpec spec;
  spec.sampler.type = "torch.A";
  const std::vector<Edit> list = {{"world.ranks_per_node", IndexList{2, 1, 4}}};
  const auto listed = applyEdits(spec, list, samplers);
  REQUIRE(listed);
  CHECK(listed->world == worldOf({2, 1, 4}));
  CHECK(validate(*listed, samplers).empty());
  const std::vector<Edit> other = {{"loader.batch_size", std::int64_t{8}}};
  CHECK(applyEdits(*listed, other, samplers)->world == listed->world);
  const std::vector<Edit> nodes = {{"world.nodes", std::int64_t{2}}};
  const auto unlike = applyEdits(*listed, nodes, samplers);
  REQUIRE(unlike);
  const Issues issues = validate(*unlike, samplers);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].message == "nodes is 2, but ranks_per_node has numbers for 3 nodes.");
  CHECK(problemsOf(unlike->world).size() == 1);
}

TEST_CASE("a list is typed with commas or brackets, and a number stays one") {
  const SamplerCatalogue samplers = test::twoSamplers();
  const Field field = *findField(PipelineSpec(), samplers, "world.ranks_per_node");
  CHECK(*parseValue(field, "2, 1") == Value(IndexList{2, 1}));
  CHECK(*parseValue(field, "[2, 1]") == Value(IndexList{2, 1}));
  CHECK(*parseValue(field, "[4]") == Value(IndexList{4}));
  CHECK(*parseValue(field, "2 x 8, 4") == Value(IndexList{8, 8, 4}));
  CHECK(*parseValue(field, "1 024") == Value(std::int64_t{1024}));
  CHECK_FALSE(parseValue(field, "2, 0"));
  CHECK_FALSE(parseValue(field, "[]"));
}
