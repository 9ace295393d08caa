// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace shardlens
