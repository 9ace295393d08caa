// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace shardlens {

/// What can be said about all items of a list at once, so that a long one is walked once; nothing for most types.
template <class T>
struct ListFacts {
  explicit ListFacts(const std::vector<T>& /*items*/) {}
};

template <>
struct ListFacts<std::int64_t> {
  explicit ListFacts(const std::vector<std::int64_t>& items);

  std::int64_t least = 0;     ///< 0 of no items
  std::int64_t greatest = 0;  ///< 0 of no items
  std::int64_t total = 0;     ///< the sum, or the nearest number of 64 bits where it does not fit
  bool is_run = true;         ///< each item is the one before it plus one
};

template <>
struct ListFacts<double> {
  explicit ListFacts(const std::vector<double>& items);

  double least = 0;       ///< 0 of no items
  double greatest = 0;    ///< 0 of no items
  bool is_finite = true;  ///< no infinity and no NaN; otherwise `least` and `greatest` mean nothing
};

}  // namespace shardlens
