// SPDX-License-Identifier: Apache-2.0
#include "core/random/numpy_generator.h"

#include "core/random/numpy_permutation.h"

#include <doctest/doctest.h>

using namespace shardlens;

namespace {

using Ids = std::vector<std::int64_t>;

TEST_CASE("NumPy: default_rng(0) gives its known outputs") {
  NumpyGenerator generator(0);
  CHECK(generator.next64() == 0xa30febcfd9c2825fU);
  CHECK(NumpyGenerator(0).random() * 0x1p53 == 5737240835340368.0);
}

TEST_CASE("NumPy: the high half of an output waits for the next call") {
  NumpyGenerator generator(0);
  CHECK(generator.permutation(5) == (Ids{2, 4, 3, 0, 1}));
  CHECK(generator.atMost(9) == 0U);
  CHECK(generator.permutation(6) == (Ids{4, 5, 1, 2, 0, 3}));
  CHECK(generator.atMost((std::uint64_t{1} << 40) - 1) == 802089951224U);
  CHECK(generator.permutation(7) == (Ids{3, 2, 0, 6, 4, 5, 1}));
}

TEST_CASE("NumPy: choice takes each item once on both of its paths") {
  for (const std::int64_t population : {1000, 20'000}) {
    Ids chosen = NumpyGenerator(7).choice(population, population);
    std::sort(chosen.begin(), chosen.end());
    CHECK(chosen.size() == static_cast<std::size_t>(population));
    for (std::int64_t i = 0; i < population; ++i) CHECK(chosen[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("NumPy: a long permutation is the plain one, and leaves the generator where it leaves it") {
  for (const std::size_t n : {0, 1, 2, 5, 4096, 4097, 4098, 100'000}) {
    CAPTURE(n);
    NumpyGenerator plain(42), windowed(42);
    std::vector<std::uint32_t> ids(n);
    REQUIRE(numpyPermutation(windowed, ids));
    CHECK(ids == plain.permutation<std::uint32_t>(n));
    CHECK(windowed.next64() == plain.next64());
  }
}

TEST_CASE("NumPy: a long permutation can be stopped") {
  std::stop_source source;
  source.request_stop();
  NumpyGenerator generator(0);
  std::vector<std::uint32_t> ids(10);
  const auto stopped = numpyPermutation(generator, ids, Work{source.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::Cancelled);
}

TEST_CASE("NumPy: choosing among one draws nothing") {
  NumpyGenerator generator(0);
  generator.permutation(0);
  generator.permutation(1);
  generator.atMost(0);
  CHECK(generator.choice(5, 0).empty());
  CHECK(generator.next64() == 0xa30febcfd9c2825fU);
}

}  // namespace
