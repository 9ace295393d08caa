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

/// An all_reduce of given values round a ring: a reduce-scatter, after which each rank has its part of the result, and
/// an all-gather of these parts.
struct RingAllReduce {
  std::size_t line = 0;  ///< of the spec's schedule
  Group ranks;
  Reduction reduction = Reduction::Sum;
  std::vector<std::vector<double>> given;  ///< by place in the group
  bool are_whole = true;                   ///< the given ones
  std::vector<double> result;              ///< the same on every rank
  std::vector<Round> rounds;
  std::int64_t most_bytes = 0;  ///< that a rank sends to the next: 2 (n - 1) / n of its own where parts are equal

  [[nodiscard]] std::string text(const std::vector<double>& values) const;
  /// Whether 32-bit floats that are reduced in any order may become this.
  [[nodiscard]] bool mayBe(const std::vector<float>& values) const;
};

/// `by_rank` has values of every rank of the world.
RingAllReduce ringAllReduce(const Group& ranks, const NumberLists& by_rank, Reduction reduction);

/// The same up and down a binomial tree, whose root is the first rank: a reduce, after which the root has the result,
/// and a broadcast. Each message has all values; 2 ceil(log2 n) rounds.
std::vector<Round> treeRounds(const RingAllReduce& ring);

/// The most bytes that two ranks send each other in these rounds, both ways.
std::int64_t mostBytesBetweenRanks(const std::vector<Round>& rounds);

/// One for each group that calls a phase with values on all of its ranks.
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
