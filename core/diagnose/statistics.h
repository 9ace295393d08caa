// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/time_lost.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace shardlens {

/// The value below which `fraction` (0..1) of the values are, nearest rank; 0 for none.
double quantile(std::vector<double> values, double fraction);
/// The middle value, the mean of the two middle ones when their number is even; 0 for none.
double median(std::vector<double> values);
/// Median and the values below which 5 % and 95 % are, as median() and quantile() give them; reorders the values.
struct Spread {
  double median = 0, p05 = 0, p95 = 0;
};
Spread spreadOf(std::span<float> values);

/// The last `most` values.
class RecentValues {
 public:
  explicit RecentValues(std::size_t most) : most_(most) {}
  void add(double value);
  /// More of the value that was added last.
  void addToLast(double more);
  /// Of the last `count` of them; all when that is more.
  [[nodiscard]] double median(std::size_t count = SIZE_MAX) const;
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::size_t most_;
  std::size_t next_ = 0;
  std::vector<double> values_;
};

/// How many things happen per second, over the last five seconds, or over the time since the first if that is shorter.
class RateWindow {
 public:
  void add(std::int64_t time_ns, std::int64_t count);
  [[nodiscard]] double perSecond(std::int64_t now_ns) const;

 private:
  struct Bucket {
    std::int64_t begin_ns = 0;
    std::int64_t count = 0;
  };
  std::int64_t first_ns_ = -1;
  std::deque<Bucket> buckets_;
};

/// The logarithm of the number of ways to choose `chosen` of `all`.
double lnChoose(std::size_t all, std::size_t chosen);

/// The logarithm of the probability that at least `hits` of `trials` independent trials succeed, each with the chance
/// exp(ln_chance). 0 when no hit is needed.
double lnAtLeast(std::size_t trials, std::size_t hits, double ln_chance);

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
