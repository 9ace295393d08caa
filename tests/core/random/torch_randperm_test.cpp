// SPDX-License-Identifier: Apache-2.0
#include "core/random/torch_randperm.h"

#include "core/random/swap_windows.h"
#include "tests/support/random_seed.h"

#include <doctest/doctest.h>

#include <chrono>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

using namespace shardlens;

namespace {

using Ids = std::vector<std::uint32_t>;

/// The rules as they are written down, without windows.
Ids plainForward(std::uint64_t seed, std::size_t n) {
  TorchGenerator generator(seed);
  Ids ids(n);
  std::iota(ids.begin(), ids.end(), 0U);
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(ids[i], ids[i + generator.random() % (n - i)]);
  return ids;
}

Ids plainInsideOut(std::uint64_t seed, std::size_t n) {
  TorchGenerator generator(seed);
  Ids ids(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t z = generator.random64() % (i + 1);
    ids[i] = static_cast<std::uint32_t>(i);
    ids[i] = ids[z];
    ids[z] = static_cast<std::uint32_t>(i);
  }
  return ids;
}

template <class T>
std::vector<T> fast(std::uint64_t seed, std::size_t n, TorchRandpermRule rule) {
  TorchGenerator generator(seed);
  std::vector<T> ids(n);
  REQUIRE(torchRandperm(generator, std::span(ids), {}, rule));
  return ids;
}

}  // namespace

TEST_CASE("the prefetching loop gives what the plain loop gives, for sizes and seeds drawn at random") {
  std::mt19937_64 random(test::randomSeed());
  for (int i = 0; i < 200; ++i) {
    const std::size_t n = i < 20 ? static_cast<std::size_t>(i) : random() % (i < 190 ? 3000 : 2'000'000);
    const std::uint64_t key = random();
    CAPTURE(n);
    CAPTURE(key);
    const Ids wanted = plainForward(key, n);
    CHECK((fast<std::uint32_t>(key, n, TorchRandpermRule::Forward) == wanted));
    const auto wide = fast<std::int64_t>(key, n, TorchRandpermRule::Forward);
    CHECK((Ids(wide.begin(), wide.end()) == wanted));
    CHECK((fast<std::uint32_t>(key, n, TorchRandpermRule::InsideOut) == plainInsideOut(key, n)));
  }
}

TEST_CASE("sizes around the windows and the look-ahead give what the plain loop gives") {
  for (const std::size_t border : {128U, 4096U, 2 * 4096U, 7 * 4096U}) {
    for (std::size_t n = border - 3; n <= border + 130; ++n) {
      CAPTURE(n);
      CHECK((fast<std::uint32_t>(n, n, TorchRandpermRule::Forward) == plainForward(n, n)));
      CHECK((fast<std::uint32_t>(n, n, TorchRandpermRule::InsideOut) == plainInsideOut(n, n)));
    }
  }
}

TEST_CASE(
    "sizes large enough for two threads give what the plain loop gives, and leave the generator where it belongs") {
  std::mt19937_64 random(test::randomSeed());
  for (const std::size_t least : {std::size_t{1} << 24, (std::size_t{1} << 24) + (random() % 3'000'000)}) {
    const std::uint64_t key = random();
    CAPTURE(least);
    CAPTURE(key);
    TorchGenerator used(key);
    Ids ids(least);
    REQUIRE(torchRandperm(used, ids));
    CHECK((ids == plainForward(key, least)));
    TorchGenerator skipped(key);
    skipped.skip(torchRandpermOutputs(TorchRandpermRule::Forward, least));
    CHECK(used.random() == skipped.random());
  }
}

TEST_CASE("permutations computed at the same time do not get into each other's way") {
  constexpr std::size_t kSize = std::size_t{1} << 24;
  std::vector<Ids> ids(3, Ids(kSize));
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      threads.emplace_back([&, seed] {
        TorchGenerator generator(seed);
        (void)torchRandperm(generator, ids[seed]);
      });
    }
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed) CHECK((ids[seed] == plainForward(seed, kSize)));
}

TEST_CASE("a large permutation stops on both threads when told to, wherever it is") {
  Ids ids(std::size_t{1} << 24);
  for (const double far : {0.05, 0.3, 0.6, 0.8}) {
    std::stop_source stop;
    double seen = 0;
    const Work work{stop.get_token(), [&](double fraction) {
                      seen = fraction;
                      if (fraction >= far) stop.request_stop();
                    }};
    TorchGenerator generator(1);
    const auto done = torchRandperm(generator, ids, work);
    CAPTURE(far);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ErrorCode::Cancelled);
    CHECK(seen < far + 0.1);
  }
}

TEST_CASE("following one element through the swaps finds it where the permutation has it") {
  std::mt19937_64 random(test::randomSeed());
  for (int i = 0; i < 300; ++i) {
    const std::size_t n = 1 + random() % (i < 150 ? 12 : 30'000);
    const std::uint64_t key = random();
    const TorchRandpermRule rule = i % 2 == 0 ? TorchRandpermRule::Forward : TorchRandpermRule::InsideOut;
    CAPTURE(n);
    CAPTURE(key);
    const Ids ids = rule == TorchRandpermRule::Forward ? plainForward(key, n) : plainInsideOut(key, n);
    for (std::size_t place : {std::size_t{0}, n - 1, random() % n, random() % n}) {
      const auto found = torchRandpermPlace(TorchGenerator(key), n, ids[place], {}, rule);
      REQUIRE(found);
      CHECK(*found == place);
    }
  }
}

TEST_CASE("following stops when told to") {
  std::stop_source stop;
  stop.request_stop();
  const auto found = torchRandpermPlace(TorchGenerator(0), 100'000, 99'999, Work{stop.get_token(), {}});
  REQUIRE_FALSE(found);
  CHECK(found.error().code == ErrorCode::Cancelled);
}

TEST_CASE("a permutation consumes as many outputs as it says") {
  for (const std::size_t n : {0U, 1U, 2U, 255U, 256U, 257U, 258U, 5000U}) {
    for (const TorchRandpermRule rule : {TorchRandpermRule::Forward, TorchRandpermRule::InsideOut}) {
      CAPTURE(n);
      TorchGenerator used(3);
      Ids ids(n);
      REQUIRE(torchRandperm(used, ids, {}, rule));
      TorchGenerator skipped(3);
      skipped.skip(torchRandpermOutputs(rule, n));
      CHECK(used.random() == skipped.random());
    }
  }
}

TEST_CASE("targets drawn in vectors are what remainders give, for any size and place") {
  std::mt19937_64 random(test::randomSeed());
  std::vector<std::uint32_t> draws(2000);
  std::vector<std::uint32_t> forward(1000);
  std::vector<std::uint64_t> inside_out(1000);
  for (int i = 0; i < 2000; ++i) {
    // Draws near the ends of their range, and sizes of every magnitude, meet the quotients that are nearly whole.
    for (std::uint32_t& draw : draws) draw = static_cast<std::uint32_t>(random() >> (random() % 3 == 0 ? 62 : 32));
    for (std::size_t k = 0; k < draws.size(); k += 7) draws[k] = ~draws[k];
    const auto size = static_cast<std::uint32_t>(1001 + (random() >> (32 + random() % 22)) % 4'294'960'000);
    const auto here = static_cast<std::uint32_t>(random() % (size - 1000));
    CAPTURE(size);
    CAPTURE(here);
    torchForwardTargets(std::span(draws).first(1000), here, size, forward);
    const std::uint64_t from = i % 50 == 0 ? (std::uint64_t{1} << 32) - random() % 3000 : here;
    torchInsideOutTargets(draws, from, inside_out);
    std::vector<std::uint32_t> wanted_forward(1000);
    std::vector<std::uint64_t> wanted_inside_out(1000);
    for (std::size_t k = 0; k < 1000; ++k) {
      const auto step = static_cast<std::uint32_t>(k);
      wanted_forward[k] = here + step + draws[k] % (size - here - step);
      const std::uint64_t drawn = std::uint64_t{draws[2 * k]} << 32 | draws[2 * k + 1];
      wanted_inside_out[k] = drawn % (from + k + 1);
    }
    REQUIRE((forward == wanted_forward));
    REQUIRE((inside_out == wanted_inside_out));
  }
}

TEST_CASE("skipping far goes where skipping in small steps goes, from any place of a state") {
  std::mt19937_64 random(test::randomSeed());
  for (const std::uint64_t before : {0U, 1U, 623U, 624U, 1000U}) {
    const std::uint64_t seed = random();
    const std::uint64_t far = (std::uint64_t{1} << 25) + random() % 100'000'000;
    CAPTURE(before);
    CAPTURE(seed);
    CAPTURE(far);
    TorchGenerator jumped(seed);
    TorchGenerator stepped(seed);
    for (std::uint64_t i = 0; i < before; ++i) CHECK(jumped.random() == stepped.random());
    jumped.skip(far);
    for (std::uint64_t left = far; left > 0; left -= std::min<std::uint64_t>(left, 1 << 24)) {
      stepped.skip(std::min<std::uint64_t>(left, 1 << 24));
    }
    for (int i = 0; i < 1500; ++i) REQUIRE(jumped.random() == stepped.random());
  }
  TorchGenerator once(4);
  TorchGenerator twice(4);
  once.skip(9'000'000'000'000'000'000);
  twice.skip(4'000'000'000'000'000'000);
  twice.skip(5'000'000'000'000'000'000);
  CHECK(once.random() == twice.random());
}

TEST_CASE("the newer rule is taken from 214,748,364 elements on, by releases from 2.6 on") {
  CHECK(torchRandpermRule("2.9", 214'748'363) == TorchRandpermRule::Forward);
  CHECK(torchRandpermRule("2.9", 214'748'364) == TorchRandpermRule::InsideOut);
  CHECK(torchRandpermRule("2.6", 214'748'363) == TorchRandpermRule::Forward);
  CHECK(torchRandpermRule("2.6", 214'748'364) == TorchRandpermRule::InsideOut);
  CHECK(torchRandpermRule("1.13", 4'000'000'000) == TorchRandpermRule::Forward);
}

TEST_CASE("a long permutation says how far it is, and stops when told to") {
  std::stop_source stop;
  std::vector<double> fractions;
  const Work work{stop.get_token(), [&](double fraction) {
                    fractions.push_back(fraction);
                    if (fraction > 0.3) stop.request_stop();
                  }};
  TorchGenerator generator(0);
  Ids ids(8'000'000);
  const auto done = torchRandperm(generator, ids, work);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ErrorCode::Cancelled);
  REQUIRE(fractions.size() > 3);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.back() < 0.5);  // it did not go on after the stop
}
