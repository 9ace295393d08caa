// SPDX-License-Identifier: Apache-2.0
#include "core/audit/each_once.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace shardlens;

namespace {

template <class Id>
bool eachOnce(std::vector<Id> ids) {
  const auto once = holdsEachOnce(*Order::of(std::move(ids)), {});
  REQUIRE(once);
  return *once;
}

}  // namespace

TEST_CASE_TEMPLATE("an order holds each id once exactly when it is a permutation", Id, std::uint32_t, std::int64_t) {
  std::mt19937_64 random(11);
  for (const std::size_t size : {1U, 2U, 100U, 4095U, 4096U, 4097U, 20'000U}) {
    CAPTURE(size);
    std::vector<Id> ids(size);
    std::iota(ids.begin(), ids.end(), Id{0});
    std::shuffle(ids.begin(), ids.end(), random);
    CHECK(eachOnce(ids));
    for (int i = 0; i < 20 && size > 2; ++i) {
      auto other = ids;
      other[random() % size] = other[random() % size];
      CHECK(eachOnce(other) == (other == ids));
      other = ids;  // sums of ids alone would not see this
      const std::size_t up = random() % size;
      const std::size_t down = (up + 1 + random() % (size - 1)) % size;
      if (other[down] == 0 || other[up] + 1 == other[down]) continue;
      ++other[up];
      --other[down];
      CHECK(!eachOnce(other));
    }
    auto shifted = ids;
    for (Id& id : shifted) ++id;
    CHECK(!eachOnce(shifted));
  }
}

TEST_CASE("the order of the dataset holds each id once, and a stopped look is cancelled") {
  CHECK(*holdsEachOnce(*Order::identity(10'000), {}));
  CHECK(*holdsEachOnce(*Order::identity(0), {}));
  std::stop_source stop;
  stop.request_stop();
  CHECK(!holdsEachOnce(*Order::identity(10'000), {stop.get_token(), {}}));
}
