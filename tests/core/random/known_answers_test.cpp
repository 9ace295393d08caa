// SPDX-License-Identifier: Apache-2.0
// Numbers that CPython 3.11, NumPy 1.24 and torch 1.13 gave for these seeds.
#include "core/random/grain_index_shuffle.h"
#include "core/random/numpy_generator.h"
#include "core/random/numpy_legacy.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

using namespace shardlens;
using Words = std::vector<std::uint32_t>;
using Items = std::vector<std::int64_t>;

TEST_CASE("MT19937 gives the outputs of its authors' test, seeded by a word and by an array") {
  Mt19937 one(5489);
  CHECK(one.next() == 3499211612U);
  one.skip(9998);
  CHECK(one.next() == 4123659995U);  // the 10 000th, as the C++ standard requires of mt19937
  const Words key = {0x123, 0x234, 0x345, 0x456};
  Mt19937 many = Mt19937::byArray(key);
  CHECK(many.next() == 1067595299U);
  CHECK(many.next() == 955945823U);
}

TEST_CASE("filling, skipping and drawing walk the same stream") {
  for (const std::size_t before : {0U, 1U, 623U, 624U, 625U, 2000U}) {
    for (const std::size_t count : {0U, 1U, 17U, 623U, 624U, 1249U}) {
      CAPTURE(before);
      CAPTURE(count);
      TorchGenerator drawn(42);
      for (std::size_t i = 0; i < before; ++i) drawn.random();
      Words wanted(count);
      for (std::uint32_t& word : wanted) word = drawn.random();
      TorchGenerator filled(42);
      filled.skip(before);
      Words got(count);
      filled.fill(got);
      CHECK(got == wanted);
      CHECK(filled.random() == drawn.random());
    }
  }
}

TEST_CASE("torch's generator uses the low 32 bits of its seed, and keeps all of them") {
  CHECK(TorchGenerator(0).random() == TorchGenerator(std::uint64_t{1} << 40).random());
  CHECK(TorchGenerator(~std::uint64_t{0}).random() == TorchGenerator(0xFFFF'FFFFU).random());
  CHECK(TorchGenerator(std::uint64_t{1} << 40).initialSeed() == std::uint64_t{1} << 40);
  TorchGenerator generator(0);
  CHECK(generator.random63() == 900450186894289455);
  CHECK(generator.random64() == 0xB716A675D821CCC0U);
  CHECK(TorchGenerator(0).random24() == 8325804U);
  CHECK(TorchGenerator(0).random53() == 8737460674931247U);
}

TEST_CASE("NumPy's RandomState") {
  NumpyLegacy raw(5489);
  CHECK(raw.next() == 3499211612U);
  CHECK(NumpyLegacy(42).permutation(10) == Items{8, 1, 5, 0, 7, 2, 9, 4, 3, 6});
  const Words key = {1, 2, 3};
  CHECK(NumpyLegacy(std::span<const std::uint32_t>(key)).permutation(8) == Items{0, 4, 5, 7, 2, 3, 1, 6});
  NumpyLegacy wide(7);
  const std::uint64_t most = (std::uint64_t{1} << 40) - 1;
  CHECK(wide.bounded(most) == 752595690692U);
  CHECK(wide.bounded(most) == 108744157686U);
  CHECK(wide.bounded(0) == 0U);
  CHECK(wide.bounded(most) == 291964244179U);  // a range of one value draws nothing
  CHECK(NumpyLegacy(1).permutation(0).empty());
}

TEST_CASE("NumPy's RandomState chooses and shuffles") {
  NumpyLegacy numpy(3);
  CHECK(numpy.choice(9, 4, false) == Items{6, 2, 7, 4});
  CHECK(numpy.choice(9, 6, true) == Items{3, 5, 7, 6, 0, 4});
  CHECK(numpy.choice(std::vector<double>{.1, 0, .2, .7}, 6, true) == Items{0, 3, 3, 2, 3, 3});
  CHECK(numpy.choice(std::vector<double>{.1, .3, .2, .4, 0}, 4, false) == Items{0, 2, 1, 3});
  CHECK(numpy.random53() == 6243231341261543U);
  Items items = {5, 1, 4, 2, 8};
  numpy.shuffle(std::span(items));
  CHECK(items == Items{8, 4, 1, 2, 5});
}

TEST_CASE("NumPy's SeedSequence") {
  CHECK(NumpySeedSequence(Words{1, 2, 3}).generateState(5) ==
        Words{3822189696U, 3026158655U, 540542919U, 1119972918U, 171197509U});
  CHECK(NumpySeedSequence(Words{1, 2, 3, 4, 5, 6}).generateState(3) == Words{488360481U, 3956080669U, 2986500235U});
}

TEST_CASE("Python's random") {
  const auto draws = [](PythonRandom random) {
    return std::array<std::uint64_t, 4>{random.getrandbits(32), random.getrandbits(64), random.getrandbits(5),
                                        random.randbelow(1000)};
  };
  CHECK(draws(PythonRandom(42)) == std::array<std::uint64_t, 4>{2746317213U, 461366972257415551U, 23, 281});
  CHECK(draws(PythonRandom(-42)) == draws(PythonRandom(42)));
  CHECK(draws(PythonRandom(0)) == std::array<std::uint64_t, 4>{3626764237U, 13981790821421117374U, 28, 430});
  CHECK(draws(PythonRandom::ofUnsigned((std::uint64_t{1} << 63) + 5)) ==
        std::array<std::uint64_t, 4>{1478493593U, 8511293896165547977U, 19, 104});
  Items items(8);
  std::iota(items.begin(), items.end(), 0);
  PythonRandom(2024).shuffle(items);
  CHECK(items == Items{3, 6, 0, 2, 4, 5, 1, 7});
  CHECK(PythonRandom(1).random() == doctest::Approx(0.13436424411240122));
}

TEST_CASE("Python's random takes texts and real numbers as seeds") {
  CHECK(PythonRandom::ofText("shards").getrandbits(32) == 3112031034U);
  CHECK(PythonRandom::ofText("").getrandbits(32) == 4124137760U);
  CHECK(PythonRandom::ofText("gr\u00F6\u00DFe").getrandbits(32) == 1944009904U);
  CHECK(PythonRandom::ofReal(1.5).getrandbits(32) == 2369807148U);
  CHECK(PythonRandom::ofReal(-1.5).getrandbits(32) == 3049922142U);
}

TEST_CASE("Python's hash of numbers") {
  CHECK(pythonHash(1.5) == 1152921504606846977);
  CHECK(pythonHash(-1.0) == -2);
  CHECK(pythonHash(0.1) == 230584300921369408);
  CHECK(pythonHash(1e300) == 1224995262755759164);
  CHECK(pythonHash(std::ldexp(1.0, 61)) == 1);
  CHECK(pythonHash(std::numeric_limits<double>::infinity()) == 314159);
  CHECK(pythonHash(std::int64_t{-1}) == -2);
  CHECK(pythonHash((std::int64_t{1} << 61) - 1) == 0);
  CHECK(pythonHash(std::numeric_limits<std::int64_t>::min()) == -4);
  CHECK(pythonHash(std::numeric_limits<std::int64_t>::max()) == 3);
}

TEST_CASE("Python's random samples by a pool or a set, and chooses by weights") {
  PythonRandom random(7);
  CHECK(random.sample(10, 4) == Items{5, 2, 6, 9});
  CHECK(random.sample(1000, 6) == Items{49, 74, 840, 548, 96, 374});
  CHECK(random.sample(80, 6) == Items{74, 7, 64, 27, 4, 11});
  CHECK(random.sample(5, 5) == Items{3, 4, 0, 2, 1});
  PythonRandom chooser(7);
  Items chosen;
  for (int i = 0; i < 6; ++i) chosen.push_back(chooser.choices(10));
  const std::array<double, 4> sums = {1, 1, 3, 8};
  for (int i = 0; i < 8; ++i) chosen.push_back(chooser.choices(std::span<const double>(sums)));
  CHECK(chosen == Items{3, 1, 6, 0, 5, 3, 0, 3, 0, 3, 0, 0, 3, 3});
}

TEST_CASE("Grain's shuffle is a permutation, but for the sizes that its block does not hold") {
  const auto missing = [](std::uint64_t most) {
    std::vector<bool> seen(most + 1);
    const GrainIndexShuffle shuffle(most, 42);
    for (std::uint64_t i = 0; i <= most; ++i) seen[shuffle(i)] = true;
    return std::ranges::count(seen, false);
  };
  for (const std::uint64_t most : {0U, 1U, 9U, 255U, 256U, 65535U, 65537U, 131072U}) {
    CAPTURE(most);
    CHECK(missing(most) == 0);
  }
  for (const std::uint64_t most : {65536U, 262144U}) {
    CHECK(missing(most) == 1);
    CHECK(GrainIndexShuffle(most, 42)(most) == GrainIndexShuffle(most, 42)(0));
  }
  const GrainIndexShuffle large(999999, 0);
  CHECK(large(0) == 645888U);
  CHECK(large(999999) == 289545U);
}
