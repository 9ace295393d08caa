// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/schedule.h"
#include "core/spec/number_lists.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::schedule {

/// Values, or a part of them, from a rank to another one.
struct Message {
  Rank from, to;
  std::size_t first = 0;  ///< the place of its first value
  std::vector<double> values;

  bool operator==(const Message&) const = default;
};

/// What all ranks send at the same time.
struct Round {
  bool gathers = false;  ///< the receiver keeps the values, and does not reduce them with its own
  std::vector<Message> messages;
};

/// An all_reduce that all ranks of a group call.
struct AllReduce {
  std::size_t line = 0;  ///< of the spec's schedule
  Group ranks;
  Reduction reduction = Reduction::Sum;
  std::int64_t bytes = 0;                  ///< of each rank without given values; 0: not said
  std::vector<std::vector<double>> given;  ///< by place in the group; empty: any
  bool are_whole = true;                   ///< the given ones

  /// In the group, of one of its ranks.
  [[nodiscard]] std::size_t placeOf(Rank rank) const;
  [[nodiscard]] std::string text(const std::vector<double>& values) const;
  bool operator==(const AllReduce&) const = default;
};

/// The same round a ring: a reduce-scatter, after which each rank has its part of the result, and an all-gather of
/// these parts.
struct RingAllReduce : AllReduce {
  std::vector<double> result;  ///< the same on every rank
  std::vector<Round> rounds;
  std::int64_t most_bytes = 0;  ///< that a rank sends to the next: 2 (n - 1) / n of its own where parts are equal

  /// Whether 32-bit floats that are reduced in any order may become this.
  [[nodiscard]] bool mayBe(const std::vector<float>& values) const;
};

/// Of a call without values each rank gets as many zeros as there are ranks: then the place of a message's value is the
/// number of its part.
RingAllReduce ringAllReduce(AllReduce call);
/// `by_rank` has values of every rank of the world.
RingAllReduce ringAllReduce(const Group& ranks, const NumberLists& by_rank, Reduction reduction);

/// The same up and down a binomial tree, whose root is the first rank: a reduce, after which the root has the result,
/// and a broadcast. Each message has all values.
std::vector<Round> treeRounds(const RingAllReduce& ring);

/// Brings `values`, by place in the group, from before the round to after it. What a rank passes on it has itself, too:
/// a mean is divided before it is sent.
void exchange(const Round& round, const AllReduce& call, std::vector<std::vector<double>>& values);

struct AllReduceCost {
  std::int64_t rounds = 0;
  std::int64_t most_bytes = 0;  ///< that two ranks send each other, both ways together
};
/// Both without following the rounds: for any number of ranks.
AllReduceCost ringCost(const AllReduce& call);
AllReduceCost treeCost(const AllReduce& call);

/// One for each group that calls an all_reduce on all of its ranks; of a phase without values one for each size of
/// group.
std::vector<AllReduce> allReduceCalls(const Schedule& schedule);
/// Those with values.
std::vector<RingAllReduce> allReducesOf(const Schedule& schedule);

/// What a rank had after such a phase, as it says so in a line of its output.
struct RankResult {
  Rank rank;
  std::size_t line = 0;
  std::string values;
};
std::string textOf(const RankResult& result);
/// Nothing where the text says something else.
std::optional<RankResult> resultIn(std::string_view text);

}  // namespace shardlens::schedule
