// SPDX-License-Identifier: Apache-2.0
// ringAllReduce() against adding up directly.
#include "core/schedule/ring.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>

using namespace shardlens;
using namespace shardlens::schedule;

namespace {

using Values = std::vector<double>;

RingAllReduce ringOf(const std::string& values, Reduction reduction, const Group& ranks = {{0}, {1}}) {
  const auto lists = parseNumberLists(values);
  REQUIRE(lists);
  return ringAllReduce(ranks, *lists, reduction);
}

double directly(const RingAllReduce& ring, std::size_t i) {
  double sum = 0;
  double most = ring.given[0][i];
  for (const Values& values : ring.given) {
    sum += values[i];
    most = std::max(most, values[i]);
  }
  if (ring.reduction == Reduction::Max) return most;
  return ring.reduction == Reduction::Avg ? sum / static_cast<double>(ring.given.size()) : sum;
}

/// Both ways together, of the two ranks that exchange most.
std::int64_t mostBytesBetweenRanks(const std::vector<Round>& rounds) {
  std::map<std::pair<Rank, Rank>, std::int64_t> bytes;
  std::int64_t most = 0;
  for (const Round& round : rounds) {
    for (const Message& message : round.messages) {
      std::int64_t& of_link = bytes[std::minmax(message.from, message.to)];
      of_link += static_cast<std::int64_t>(message.values.size() * sizeof(float));
      most = std::max(most, of_link);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("two ranks with [1, 2] and [3, 4] have [4, 6], and [2, 3] on average") {
  const RingAllReduce sum = ringOf("[[1, 2], [3, 4]]", Reduction::Sum);
  CHECK(sum.text(sum.result) == "[4, 6]");
  REQUIRE(sum.rounds.size() == 2);
  CHECK_FALSE(sum.rounds[0].gathers);
  CHECK(sum.rounds[0].messages == std::vector<Message>{{{0}, {1}, 0, {1}}, {{1}, {0}, 1, {4}}});
  CHECK(sum.rounds[1].gathers);
  CHECK(sum.rounds[1].messages == std::vector<Message>{{{0}, {1}, 1, {6}}, {{1}, {0}, 0, {4}}});
  CHECK(sum.most_bytes == 8);
  const RingAllReduce mean = ringOf("[[1, 2], [3, 4]]", Reduction::Avg);
  CHECK(mean.text(mean.result) == "[2, 3]");
  CHECK(ringOf("[[1, 2], [3, 4]]", Reduction::Max).result == Values{3, 4});
}

TEST_CASE("along a tree, two ranks add up in the root, which sends the result back") {
  const RingAllReduce sum = ringOf("[[1, 2], [3, 4]]", Reduction::Sum);
  const std::vector<Round> tree = treeRounds(sum);
  REQUIRE(tree.size() == 2);
  CHECK_FALSE(tree[0].gathers);
  CHECK(tree[0].messages == std::vector<Message>{{{1}, {0}, 0, {3, 4}}});
  CHECK(tree[1].gathers);
  CHECK(tree[1].messages == std::vector<Message>{{{0}, {1}, 0, {4, 6}}});
  CHECK(mostBytesBetweenRanks(tree) == 16);
  CHECK(mostBytesBetweenRanks(sum.rounds) == 16);
  CHECK(treeRounds(ringOf("[[1, 2], [3, 4]]", Reduction::Avg))[1].messages[0].values == Values{2, 3});
}

TEST_CASE("a tree of five ranks reduces in three rounds and broadcasts in three") {
  const Group ranks = {{0}, {1}, {2}, {3}, {4}};
  const std::string values = "[[1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [3, 0, 0, 0, 0], [4, 0, 0, 0, 0], [5, 1, 1, 1, 1]]";
  const RingAllReduce sum = ringOf(values, Reduction::Sum, ranks);
  const std::vector<Round> tree = treeRounds(sum);
  REQUIRE(tree.size() == 6);
  CHECK(tree[0].messages == std::vector<Message>{{{1}, {0}, 0, {2, 0, 0, 0, 0}}, {{3}, {2}, 0, {4, 0, 0, 0, 0}}});
  CHECK(tree[1].messages == std::vector<Message>{{{2}, {0}, 0, {7, 0, 0, 0, 0}}});
  CHECK(tree[2].messages == std::vector<Message>{{{4}, {0}, 0, {5, 1, 1, 1, 1}}});
  CHECK(tree[3].messages == std::vector<Message>{{{0}, {4}, 0, {15, 1, 1, 1, 1}}});
  CHECK(tree[4].messages == std::vector<Message>{{{0}, {2}, 0, {15, 1, 1, 1, 1}}});
  CHECK(tree[5].messages == std::vector<Message>{{{0}, {1}, 0, {15, 1, 1, 1, 1}}, {{2}, {3}, 0, {15, 1, 1, 1, 1}}});
  CHECK(sum.rounds.size() == 8);
  CHECK(mostBytesBetweenRanks(tree) == 2 * 5 * 4);
  CHECK(mostBytesBetweenRanks(sum.rounds) == 2 * 4 * 4);
}

TEST_CASE("numbers are written as they were given, and a mean with a fraction has one") {
  const RingAllReduce real = ringOf("[[0.1, 2.0], [0.2, 4]]", Reduction::Sum);
  CHECK(real.text(real.result) == "[0.3, 6.0]");
  const RingAllReduce mean = ringOf("[[1], [2]]", Reduction::Avg);
  CHECK(mean.text(mean.result) == "[1.5]");
}

TEST_CASE("ring and tree give what adding up gives, and a ring sends 2 (n - 1) / n of the bytes where parts are even") {
  std::mt19937_64 random(5);
  for (std::size_t ranks = 1; ranks <= 9; ++ranks) {
    for (const std::size_t count : {std::size_t{1}, ranks, 4 * ranks, 4 * ranks + 3}) {
      CAPTURE(ranks);
      CAPTURE(count);
      NumberLists given;
      Group group;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        group.push_back(Rank{static_cast<std::int64_t>(rank)});
        Values& values = given.lists.emplace_back();
        for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random() % 100) - 50);
      }
      for (const Reduction reduction : {Reduction::Sum, Reduction::Avg, Reduction::Max}) {
        const RingAllReduce ring = ringAllReduce(group, given, reduction);
        REQUIRE(ring.result.size() == count);
        for (std::size_t i = 0; i < count; ++i) CHECK(ring.result[i] == doctest::Approx(directly(ring, i)));
        CHECK(ring.rounds.size() == 2 * (ranks - 1));
        std::vector<std::vector<double>> values = ring.given;
        for (const Round& round : ring.rounds) exchange(round, ring, values);
        if (ranks > 1)
          for (const Values& had : values) CHECK(ring.text(had) == ring.text(ring.result));
        CHECK(ringCost(ring).rounds == static_cast<std::int64_t>(ring.rounds.size()));
        CHECK(ringCost(ring).most_bytes == mostBytesBetweenRanks(ring.rounds));
        CHECK(treeCost(ring).rounds == static_cast<std::int64_t>(treeRounds(ring).size()));
        CHECK(treeCost(ring).most_bytes == mostBytesBetweenRanks(treeRounds(ring)));
        std::set<Rank> reached = {Rank{0}};
        for (const Round& round : treeRounds(ring)) {
          for (const Message& message : round.messages) {
            if (!round.gathers) continue;
            reached.insert(message.to);
            for (std::size_t i = 0; i < count; ++i) CHECK(message.values[i] == doctest::Approx(ring.result[i]));
          }
        }
        CHECK(reached.size() == ranks);
        if (count % ranks == 0)
          CHECK(ring.most_bytes == static_cast<std::int64_t>(2 * (ranks - 1) * (count / ranks) * sizeof(float)));
      }
    }
  }
}

TEST_CASE("what floats may become in another order is the result, and anything else is not") {
  const RingAllReduce ring = ringOf("[[0.1, 100000.5], [0.2, 0.25], [0.3, -3]]", Reduction::Sum, {{0}, {1}, {2}});
  CHECK(ring.mayBe({0.3F + (0.2F + 0.1F), 100000.5F + (0.25F - 3.0F)}));
  CHECK_FALSE(ring.mayBe({0.601F, 99997.75F}));
  CHECK_FALSE(ring.mayBe({0.6F}));
  CHECK_FALSE(ring.mayBe({0.6F, std::numeric_limits<float>::quiet_NaN()}));
}

TEST_CASE("each group that calls a phase with values on all its ranks has a ring of its own ranks' values") {
  PipelineSpec spec;
  spec.world.ranks_per_node = 4;
  const std::string values = "[[1], [2], [3], [4]]";
  spec.schedule = {{.what = "all_reduce", .at = "start", .ranks = "[[0, 3], [1, 2]]", .values = values},
                   {.what = "all_reduce", .condition = "step == 3", .op = "max", .values = values},
                   {.what = "all_reduce", .condition = "rank != 0", .values = values},
                   {.what = "all_reduce", .kb = 1}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto rings = allReducesOf(Schedule(*plan));
  REQUIRE(rings.size() == 3);
  CHECK(rings[0].ranks == Group{{0}, {3}});
  CHECK(rings[0].result == Values{5});
  CHECK(rings[1].result == Values{5});
  CHECK(rings[2].line == 1);
  CHECK(rings[2].result == Values{4});
  const auto calls = allReduceCalls(Schedule(*plan));
  REQUIRE(calls.size() == 4);
  CHECK(calls[2] == rings[2]);
  CHECK(calls[3].line == 3);
  CHECK(calls[3].given.empty());
  CHECK(calls[3].bytes == 1000);
}

TEST_CASE("without values the messages of a ring name their parts, and groups of one size are told once") {
  PipelineSpec spec;
  spec.world.ranks_per_node = 4;
  spec.schedule = {{.what = "all_reduce", .ranks = "[[0, 3], [1, 2]]", .kb = 1}};
  const auto plan = Plan::make(spec);
  REQUIRE(plan);
  const auto calls = allReduceCalls(Schedule(*plan));
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].ranks == Group{{0}, {3}});
  const RingAllReduce ring = ringAllReduce(calls[0]);
  REQUIRE(ring.rounds.size() == 2);
  CHECK(ring.rounds[0].messages == std::vector<Message>{{{0}, {3}, 0, {0}}, {{3}, {0}, 1, {0}}});
  CHECK(ringCost(calls[0]).most_bytes == 2000);
  CHECK(treeCost(calls[0]).most_bytes == 2000);
}

TEST_CASE("what a rank says of its result is understood, and other lines are not") {
  const auto said = resultIn(textOf(RankResult{Rank{12}, 3, "[4, 6]"}));
  REQUIRE(said);
  CHECK(said->rank == Rank{12});
  CHECK(said->line == 3);
  CHECK(said->values == "[4, 6]");
  for (const char* other : {"", "rank 1", "rank x: all_reduce of schedule[0] gave [1]",
                            "rank 0: all_reduce of schedule[] gave [1]", "] gave : all_reduce of schedule["})
    CHECK_FALSE(resultIn(other));
}
