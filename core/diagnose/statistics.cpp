// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kBucketNs = 250'000'000;
constexpr std::int64_t kRateNs = 5'000'000'000;

constexpr std::size_t kMostBlocks = 24;
constexpr double kAgreeing = 0.6;  ///< of the blocks

}  // namespace

double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = static_cast<std::ptrdiff_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * last));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Spread spreadOf(std::span<float> values) {
  if (values.empty()) return {};
  const auto place = [values](double fraction) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(values.size() - 1)));
  };
  // Each selection leaves smaller values before its place and larger ones behind it, so the next has half the work.
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto low = place(0.05);
  const auto high = place(0.95);
  Spread spread;
  spread.median = *middle;
  if (values.size() % 2 == 0) spread.median = (spread.median + double{*std::max_element(values.begin(), middle)}) / 2;
  if (low < middle) std::nth_element(values.begin(), low, middle);
  if (high > middle) std::nth_element(middle + 1, high, values.end());
  spread.p05 = *low;
  spread.p95 = *high;
  return spread;
}

void RecentValues::add(double value) {
  if (values_.size() < most_) {
    values_.push_back(value);
  } else {
    values_[next_] = value;
    next_ = (next_ + 1) % most_;
  }
}

void RecentValues::addToLast(double more) {
  if (values_.empty()) return add(more);
  values_[(next_ + values_.size() - 1) % values_.size()] += more;
}

double RecentValues::median(std::size_t count) const {
  const std::size_t size = values_.size();
  if (count >= size) return shardlens::median(values_);
  std::vector<double> last;
  for (std::size_t back = 1; back <= count; ++back) last.push_back(values_[(next_ + size - back) % size]);
  return shardlens::median(std::move(last));
}

void RateWindow::add(std::int64_t time_ns, std::int64_t count) {
  if (first_ns_ < 0) first_ns_ = time_ns;
  if (buckets_.empty() || time_ns - buckets_.back().begin_ns >= kBucketNs) buckets_.push_back({time_ns, 0});
  buckets_.back().count += count;
  while (time_ns - buckets_.front().begin_ns > kRateNs) buckets_.pop_front();
}

double RateWindow::perSecond(std::int64_t now_ns) const {
  std::int64_t sum = 0;
  for (const Bucket& bucket : buckets_) sum += now_ns - bucket.begin_ns <= kRateNs ? bucket.count : 0;
  const std::int64_t span = std::min(kRateNs, now_ns - first_ns_);
  return first_ns_ < 0 || span <= 0 ? 0 : static_cast<double>(sum) * 1e9 / static_cast<double>(span);
}

namespace {

/// ln(n!); std::lgamma is not for two threads at once.
double lnFactorial(std::size_t n) {
  if (n < 2) return 0;
  if (n < 32) return std::log(static_cast<double>(n)) + lnFactorial(n - 1);
  constexpr double kHalfLnTwoPi = 0.91893853320467274;
  const auto x = static_cast<double>(n);
  return (x + 0.5) * std::log(x) - x + kHalfLnTwoPi + 1 / (12 * x);
}

}  // namespace

double lnChoose(std::size_t all, std::size_t chosen) {
  if (chosen == 0 || chosen >= all) return 0;
  return std::max(0.0, lnFactorial(all) - lnFactorial(chosen) - lnFactorial(all - chosen));
}

double lnAtLeast(std::size_t trials, std::size_t hits, double ln_chance) {
  if (hits == 0) return 0;
  if (hits > trials) return -std::numeric_limits<double>::infinity();
  const double ln_miss = std::log1p(-std::min(std::exp(ln_chance), 1 - 1e-12));
  double sum = -std::numeric_limits<double>::infinity();
  for (std::size_t count = hits; count <= trials; ++count) {
    const double term = lnChoose(trials, count) + static_cast<double>(count) * ln_chance +
                        static_cast<double>(trials - count) * ln_miss;
    const double high = std::max(sum, term);
    sum = high + std::log(std::exp(sum - high) + std::exp(term - high));
  }
  return std::min(0.0, sum);
}

ArrivalTest::ArrivalTest(const TimeLost& lost)
    : lost_(lost),
      members_(lost.memberCount()),
      sums_((lost.size() + 1) * members_),
      spread_(lost.size() + 1),
      counts_(lost.size() + 1) {
  for (std::size_t row = 0; row < lost.size(); ++row) {
    const auto order = lost.order(row);
    const std::uint32_t* const before = sums_.data() + row * members_;
    std::uint32_t* const after = sums_.data() + (row + 1) * members_;
    for (std::size_t i = 0; i < members_; ++i) after[i] = before[i] + order[i];
    spread_[row + 1] = spread_[row] + lost.row(row).weight * double{lost.late(row)[lost.lastOf(row)]};
    counts_[row + 1] = counts_[row] + lost.row(row).collectives;
  }
}

/// Of equally many collectives, nearly; never less than a row.
std::vector<RowRange> ArrivalTest::blocks(RowRange range, std::size_t rows_in_block) const {
  const std::size_t count = std::clamp<std::size_t>(range.size() / rows_in_block, 1, kMostBlocks);
  const std::int64_t first = counts_[range.begin];
  const std::int64_t all = counts_[range.end] - first;
  std::vector<RowRange> blocks;
  std::size_t begin = range.begin;
  for (std::size_t i = 1; i <= count && begin < range.end; ++i) {
    const std::int64_t until = first + all * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(count);
    std::size_t end = begin + 1;
    while (end < range.end && counts_[end] < until) ++end;
    if (i == count) end = range.end;
    blocks.push_back({begin, end});
    begin = end;
  }
  return blocks;
}

std::vector<std::size_t> ArrivalTest::agreeing(const std::vector<RowRange>& blocks,
                                               const std::vector<std::size_t>& by_score) const {
  std::vector<std::size_t> hits(members_);
  std::vector<std::uint32_t> highest_after(members_ + 1);
  for (const RowRange& block : blocks) {
    highest_after[members_] = 0;
    for (std::size_t i = members_; i-- > 1;)
      highest_after[i] = std::max(highest_after[i + 1], score(block, by_score[i]));
    std::uint32_t lowest = UINT32_MAX;
    for (std::size_t size = 1; size < members_; ++size) {
      lowest = std::min(lowest, score(block, by_score[size - 1]));
      hits[size] += lowest > highest_after[size] ? 1 : 0;
    }
  }
  return hits;
}

std::vector<LateSet> ArrivalTest::lateSets(RowRange range, double ln_allowed, std::size_t rows_in_block) const {
  if (members_ < 2 || range.size() < 2) return {};
  std::vector<std::size_t> by_score(members_);
  std::iota(by_score.begin(), by_score.end(), std::size_t{0});
  std::ranges::stable_sort(by_score, [&](std::size_t a, std::size_t b) { return score(range, a) > score(range, b); });
  const auto cut = blocks(range, rows_in_block);
  const auto hits = agreeing(cut, by_score);
  std::vector<LateSet> sets;
  for (std::size_t size = 1; size < members_; ++size) {
    if (static_cast<double>(hits[size]) < kAgreeing * static_cast<double>(cut.size())) continue;
    const double ways = lnChoose(members_, size);
    const double ln_chance =
        ways + std::log(static_cast<double>(members_ - 1)) + lnAtLeast(cut.size(), hits[size], -ways);
    if (ln_chance > ln_allowed) continue;
    const auto end = by_score.begin() + static_cast<std::ptrdiff_t>(size);
    sets.push_back({{by_score.begin(), end}, ln_chance, 0});
  }
  return sets;
}

void ArrivalTest::addGains(RowRange range, std::vector<LateSet>& sets) const {
  if (sets.empty()) return;
  const std::vector<std::size_t>& chain = sets.back().members;
  std::vector<bool> is_in(members_, false);
  for (const std::size_t member : chain) is_in[member] = true;
  std::vector<float> latest(chain.size() + 1);  // of those that are not among the first so many of the chain
  for (std::size_t index = range.begin; index < range.end; ++index) {
    const auto late = lost_.late(index);
    float others = 0;
    for (std::size_t i = 0; i < members_; ++i) others = is_in[i] ? others : std::max(others, late[i]);
    latest[chain.size()] = others;
    for (std::size_t i = chain.size(); i-- > 0;) latest[i] = std::max(latest[i + 1], late[chain[i]]);
    for (LateSet& set : sets) set.gain_ms += lost_.row(index).weight * double{latest[0] - latest[set.members.size()]};
  }
}

}  // namespace shardlens
