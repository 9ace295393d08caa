// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>  // operator<=>; the moc of Qt 6.4 cannot begin with <compare>

namespace shardlens {

/// A whole number that means one thing. Two kinds of id never mix by accident; `value` is the plain number.
template <class Tag>
struct Id {
  std::int64_t value = 0;

  constexpr auto operator<=>(const Id&) const = default;
  constexpr Id& operator++() {
    ++value;
    return *this;
  }
};

/// A process of the job, 0 .. world size - 1 over all nodes. Not the local rank.
using Rank = Id<struct RankTag>;
/// A pass over the dataset, from 0.
using Epoch = Id<struct EpochTag>;
/// An iteration of one rank inside one epoch, from 0.
using Step = Id<struct StepTag>;

/// The id of a sample in the dataset. A plain number: it is what the frameworks yield.
using SampleIndex = std::int64_t;

}  // namespace shardlens

template <class Tag>
struct std::hash<shardlens::Id<Tag>> {
  std::size_t operator()(shardlens::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};
