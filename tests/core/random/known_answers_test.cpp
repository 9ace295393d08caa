// SPDX-License-Identifier: Apache-2.0
// Numbers that CPython 3.11, NumPy 1.24 and torch 1.13 gave for these seeds.
#include "core/random/numpy_legacy.h"
#include "core/random/numpy_seed_sequence.h"
#include "core/random/python_random.h"
#include "core/random/torch_generator.h"

#include <doctest/doctest.h>

#include <array>
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
