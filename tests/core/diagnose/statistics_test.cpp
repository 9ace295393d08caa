// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/statistics.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace shardlens;

TEST_CASE("medians, quantiles and rates") {
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
  CHECK(median({}) == 0);
  CHECK(quantile({5, 1, 4, 2, 3}, 0.05) == 1);
  CHECK(quantile({5, 1, 4, 2, 3}, 0.95) == 5);
  RateWindow rate;
  for (int i = 0; i <= 100; ++i) rate.add(std::int64_t{100'000'000} * i, 3);
  CHECK(rate.perSecond(10'000'000'000) == doctest::Approx(30).epsilon(0.1));
  CHECK(rate.perSecond(60'000'000'000) == 0);
  RecentValues values(3);
  for (const double value : {100.0, 1.0, 2.0, 3.0}) values.add(value);
  CHECK(values.median() == 2);
}

TEST_CASE("tails of the binomial distribution, in logarithms") {
  CHECK(std::exp(lnChoose(8, 4)) == doctest::Approx(70));
  CHECK(lnChoose(8, 8) == 0);
  CHECK(lnChoose(1000, 500) == doctest::Approx(689.467).epsilon(1e-5));
  CHECK(std::exp(lnAtLeast(8, 8, std::log(0.5))) == doctest::Approx(1.0 / 256));
  CHECK(std::exp(lnAtLeast(10, 8, std::log(0.5))) == doctest::Approx(56.0 / 1024));
  CHECK(lnAtLeast(10, 0, std::log(0.5)) == 0);
  CHECK(lnAtLeast(24, 24, -500) == doctest::Approx(-12000));
}
