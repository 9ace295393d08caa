// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/time_lost.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardlens {

/// Members that come last, and the logarithm of the probability that chance does this (it counts the choice of the set,
/// but not the choice of the window).
struct LateSet {
  std::vector<std::size_t> members;  ///< places among the members, latest first
  double ln_chance = 0;
  double gain_ms = 0;
};

/// The test of slow_ranks.h over any window of the rows. Reads the history once.
class ArrivalTest {
 public:
  explicit ArrivalTest(const TimeLost& lost);

  /// The sets of the latest members, of each size, that chance explains with at most exp(ln_allowed), and that are the
  /// latest in at least three of five blocks; by size. Without their gains. A block has at least this many rows.
  [[nodiscard]] std::vector<LateSet> lateSets(RowRange range, double ln_allowed, std::size_t rows_in_block) const;
  /// How much fixing each of these sets gains. They are nested: each begins with the one before.
  void addGains(RowRange range, std::vector<LateSet>& sets) const;
  /// From the first arrivals to the last, over these rows.
  [[nodiscard]] double spreadMs(RowRange range) const { return spread_[range.end] - spread_[range.begin]; }

 private:
  [[nodiscard]] std::uint32_t score(RowRange range, std::size_t member) const {
    return sums_[range.end * members_ + member] - sums_[range.begin * members_ + member];
  }
  [[nodiscard]] std::vector<RowRange> blocks(RowRange range, std::size_t rows_in_block) const;
  /// For each size of the set how many blocks agree with it. `by_score` are the members, latest first.
  [[nodiscard]] std::vector<std::size_t> agreeing(const std::vector<RowRange>& blocks,
                                                  const std::vector<std::size_t>& by_score) const;

  const TimeLost& lost_;
  std::size_t members_;
  std::vector<std::uint32_t> sums_;   ///< of the places of each member, over the rows before; differences may wrap
  std::vector<double> spread_;        ///< likewise
  std::vector<std::int64_t> counts_;  ///< of collectives, likewise
};

}  // namespace shardlens
