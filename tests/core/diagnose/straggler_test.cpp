// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/straggler.h"

#include "core/diagnose/statistics.h"

#include <doctest/doctest.h>

#include <random>

using namespace shardlens;

namespace {

/// 100 ms steps of four ranks that differ by up to `noise`; rank 2 comes `late` later, in the collectives [from, to).
std::deque<ArrivalRow> rowsWith(float late, float noise, int count, int from, int to) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> jitter(0, noise);
  std::deque<ArrivalRow> rows;
  for (int i = 0; i < count; ++i) {
    ArrivalRow row{{jitter(random), jitter(random), jitter(random), jitter(random)}, 100};
    if (i >= from && i < to) row.late_ms[2] += late;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("a rank that is late all through is named, with how late and what it costs") {
  const auto straggler = findStraggler(rowsWith(30, 1, 60, 0, 60));
  REQUIRE(straggler);
  CHECK(straggler->rank == 2);
  CHECK(straggler->last_in == 60);
  CHECK(straggler->behind_ms == doctest::Approx(30).epsilon(0.05));
  CHECK(straggler->cost == doctest::Approx(0.3).epsilon(0.05));
}

TEST_CASE("noise, one bad moment, trifles and too few collectives name nobody") {
  CHECK_FALSE(findStraggler(rowsWith(0, 20, 60, 0, 60)));
  CHECK_FALSE(findStraggler(rowsWith(5000, 1, 60, 20, 21)));
  CHECK_FALSE(findStraggler(rowsWith(30, 1, 60, 0, 30)));
  CHECK_FALSE(findStraggler(rowsWith(3, 0.1F, 60, 0, 60)));
  CHECK_FALSE(findStraggler(rowsWith(30, 1, 5, 0, 5)));
  CHECK_FALSE(findStraggler({}));
  CHECK_FALSE(findStraggler(std::deque<ArrivalRow>(20, ArrivalRow{{0}, 100})));
}

TEST_CASE("a straggler is seen through a few collectives that somebody else was last to") {
  auto rows = rowsWith(30, 1, 60, 0, 60);
  for (const std::size_t i : {std::size_t{3}, std::size_t{25}, std::size_t{50}}) rows[i].late_ms[0] = 400;
  CHECK(findStraggler(rows)->rank == 2);
}

TEST_CASE("robust statistics and rates") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({}) == 0);
  CHECK(quantile({5, 1, 4, 2, 3}, 0.05) == 1);
  CHECK(quantile({5, 1, 4, 2, 3}, 0.95) == 5);
  CHECK(robustSpread({1, 1, 1, 1000}) == 0);
  CHECK(robustSpread({1, 2, 3, 4, 100}) == doctest::Approx(1.4826));
  RateWindow rate;
  for (int i = 0; i <= 100; ++i) rate.add(std::int64_t{100'000'000} * i, 3);
  CHECK(rate.perSecond(10'000'000'000) == doctest::Approx(30).epsilon(0.1));
  CHECK(rate.perSecond(60'000'000'000) == 0);
  RecentValues values(3);
  for (const double value : {100.0, 1.0, 2.0, 3.0}) values.add(value);
  CHECK(values.median() == 2);
}
