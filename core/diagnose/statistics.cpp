// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace shardlens {
namespace {

constexpr std::int64_t kBucketNs = 250'000'000;
constexpr std::int64_t kRateNs = 5'000'000'000;

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

}  // namespace shardlens
