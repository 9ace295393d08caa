// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace shardlens {

/// NumPy's SeedSequence over 32-bit entropy words: a hash of all of them into a pool of four words, from which any
/// number of seed words is made. torch seeds NumPy in DataLoader workers by the same mix. Source:
/// numpy/random/bit_generator.pyx (1.24 to 2.2).
class NumpySeedSequence {
 public:
  explicit NumpySeedSequence(std::span<const std::uint32_t> entropy);
  /// SeedSequence(value) of a whole number of up to 64 bits.
  static NumpySeedSequence ofInteger(std::uint64_t value);
  /// The child that spawn makes at place `key` of a sequence of this entropy.
  static NumpySeedSequence spawned(std::vector<std::uint32_t> entropy, std::uint32_t key);

  /// generate_state(count): 32-bit words.
  [[nodiscard]] std::vector<std::uint32_t> generateState(std::size_t count) const;
  /// generate_state(count, uint64): each of two words, the low one first.
  [[nodiscard]] std::vector<std::uint64_t> generateState64(std::size_t count) const;

 private:
  static constexpr std::size_t kPool = 4;
  std::array<std::uint32_t, kPool> pool_{};
};

// NOLINTNEXTLINE(google-runtime-int): the only spelling of a 128-bit integer that GCC and clang share
__extension__ using Uint128 = unsigned __int128;

/// Serves a 64-bit generator's outputs as 32-bit halves, low half first; the high half waits for the next call,
/// whatever is drawn in between.
class HalfBuffer {
 public:
  template <class Next64>
  std::uint32_t next(Next64&& next64) {
    full_ = !full_;
    if (!full_) return high_;
    const std::uint64_t output = next64();
    high_ = static_cast<std::uint32_t>(output >> 32);
    return static_cast<std::uint32_t>(output);
  }

 private:
  bool full_ = false;
  std::uint32_t high_ = 0;
};

/// numpy.random.PCG64: a 128-bit linear congruential generator with XSL-RR output (O'Neill, 2014). Source:
/// numpy/random/src/pcg64/pcg64.h (1.24 to 2.2).
class NumpyPcg64 {
 public:
  explicit NumpyPcg64(const NumpySeedSequence& seed);

  std::uint64_t next64() {
    step();
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const std::uint64_t mixed = high ^ static_cast<std::uint64_t>(state_);
    const unsigned turn = static_cast<unsigned>(high >> 58);
    return mixed >> turn | mixed << (-turn & 63U);
  }
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  void step() { state_ = state_ * (Uint128{0x2360ED051FC65DA4U} << 64 | 0x4385DF649FCCF645U) + increment_; }

  Uint128 state_ = 0;
  Uint128 increment_ = 0;
  HalfBuffer halves_;
};

/// numpy.random.Philox: Philox4x64 of ten rounds (Salmon et al., 2011), its counter raised before each block.
class NumpyPhilox {
 public:
  explicit NumpyPhilox(const NumpySeedSequence& seed);

  std::uint64_t next64();
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  std::array<std::uint64_t, 2> key_{};
  std::array<std::uint64_t, 4> counter_{};
  std::array<std::uint64_t, 4> block_{};
  std::size_t next_ = 4;
  HalfBuffer halves_;
};

/// numpy.random.SFC64 (Doty-Humphrey's small fast chaotic generator), warmed up by twelve outputs.
class NumpySfc64 {
 public:
  explicit NumpySfc64(const NumpySeedSequence& seed);

  std::uint64_t next64();
  std::uint32_t next32() {
    return halves_.next([this] { return next64(); });
  }
  double nextDouble() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

 private:
  std::uint64_t a_ = 0, b_ = 0, c_ = 0, count_ = 1;
  HalfBuffer halves_;
};

/// numpy.random.MT19937 as a new-style bit generator: its whole state comes from the SeedSequence.
class NumpyMt19937 {
 public:
  explicit NumpyMt19937(const NumpySeedSequence& seed);

  std::uint32_t next32() { return engine_.next(); }
  std::uint64_t next64() {
    const std::uint64_t high = engine_.next();
    return high << 32 | engine_.next();
  }
  double nextDouble() {
    const std::uint32_t high = engine_.next() >> 5;
    return (high * 67108864.0 + (engine_.next() >> 6)) / 9007199254740992.0;
  }

 private:
  Mt19937 engine_;
};

/// NumPy's Generator over one of its bit generators, bit for bit; identical in NumPy 1.24 and 2.2. shuffle draws by
/// masking and rejecting, integers and choice by Lemire's multiplication: two rules that must not be exchanged. Source:
/// numpy/random/_generator.pyx, src/distributions/distributions.c.
template <class Bits>
class NumpyGeneratorOf {
 public:
  /// default_rng(seed) of a whole number; NumPy refuses negative ones with "expected non-negative integer".
  explicit NumpyGeneratorOf(std::uint64_t seed) : NumpyGeneratorOf(NumpySeedSequence::ofInteger(seed)) {}
  explicit NumpyGeneratorOf(const NumpySeedSequence& seed) : bits_(seed) {}

  std::uint64_t next64() { return bits_.next64(); }
  /// random(): [0, 1) in steps of 2^-53.
  double random() { return bits_.nextDouble(); }
  /// uniform(low, high).
  double uniform(double low, double high) { return low + (high - low) * bits_.nextDouble(); }

  /// integers(0, most + 1): one draw or an array's next element. Draws nothing when `most` is 0.
  std::uint64_t atMost(std::uint64_t most) {
    if (most == 0) return 0;
    if (most == 0xFFFFFFFFU) return bits_.next32();
    if (most == ~std::uint64_t{0}) return bits_.next64();
    return most < 0xFFFFFFFFU ? lemire32(static_cast<std::uint32_t>(most)) : lemire64(most);
  }

  /// shuffle of a list or of a one-dimensional array.
  template <class T>
  void shuffle(std::span<T> items) {
    std::size_t i = items.size();
    for (std::uint64_t mask = maskOf(i == 0 ? 0 : i - 1); i > 1; --i) {
      while (mask >> 1 >= i - 1) mask >>= 1;
      std::swap(items[i - 1], items[masked(i - 1, mask)]);
    }
  }

  /// The places that shuffle swaps the items last, last - 1, ... with, one draw each; last >= targets.size().
  template <class Index>
  void drawSwaps(std::uint64_t last, std::span<Index> targets) {
    std::uint64_t mask = maskOf(last);
    for (Index& target : targets) {
      while (mask >> 1 >= last) mask >>= 1;
      target = static_cast<Index>(masked(last--, mask));
    }
  }

  /// permutation(n) as ids of any width that holds n - 1.
  template <class T = std::int64_t>
  std::vector<T> permutation(std::size_t n) {
    std::vector<T> ids(n);
    std::iota(ids.begin(), ids.end(), T{0});
    shuffle(std::span<T>(ids));
    return ids;
  }

  /// choice(population, size, replace=False, shuffle=shuffled); size <= population.
  std::vector<std::int64_t> choice(std::int64_t population, std::int64_t size, bool shuffled = true) {
    constexpr std::int64_t kTailFrom = 10'000;  // smaller populations always go through Floyd's set
    const std::int64_t cutoff = shuffled ? 50 : 20;
    if (population > kTailFrom && size > population / cutoff) return tailShuffle(population, size);
    std::vector<std::int64_t> chosen = floyd(population, size);
    if (shuffled) shuffleFrom(std::span(chosen), 1);
    return chosen;
  }

  /// choice(len(p), size, p=p): with replacement, by the cumulative sum.
  std::vector<std::int64_t> choiceByWeight(std::span<const double> p, std::size_t size) {
    std::vector<double> cumulative(p.size());
    std::partial_sum(p.begin(), p.end(), cumulative.begin());
    const double last = cumulative.empty() ? 1 : cumulative.back();
    for (double& sum : cumulative) sum /= last;
    std::vector<std::int64_t> chosen(size);
    for (std::int64_t& item : chosen) {
      item = std::upper_bound(cumulative.begin(), cumulative.end(), random()) - cumulative.begin();
    }
    return chosen;
  }

 private:
  static std::uint64_t maskOf(std::uint64_t most) {
    for (unsigned shift = 1; shift < 64; shift *= 2) most |= most >> shift;
    return most;
  }
  std::uint64_t masked(std::uint64_t most, std::uint64_t mask) {
    std::uint64_t value = 0;
    do value = (most <= 0xFFFFFFFFU ? bits_.next32() : bits_.next64()) & mask;
    while (value > most);
    return value;
  }
  std::uint64_t lemire32(std::uint32_t most) {
    const std::uint32_t range = most + 1;
    std::uint64_t product = std::uint64_t{bits_.next32()} * range;
    if (static_cast<std::uint32_t>(product) < range) {
      const std::uint32_t threshold = (0xFFFFFFFFU - most) % range;
      while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{bits_.next32()} * range;
    }
    return product >> 32;
  }
  std::uint64_t lemire64(std::uint64_t most) {
    const std::uint64_t range = most + 1;
    Uint128 product = Uint128{bits_.next64()} * range;
    if (static_cast<std::uint64_t>(product) < range) {
      const std::uint64_t threshold = (~std::uint64_t{0} - most) % range;
      while (static_cast<std::uint64_t>(product) < threshold) product = Uint128{bits_.next64()} * range;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// Draws the items from the end down to `first`, by Lemire's rule, unlike shuffle.
  void shuffleFrom(std::span<std::int64_t> items, std::int64_t first) {
    for (auto i = static_cast<std::int64_t>(items.size()) - 1; i >= first; --i) {
      const std::uint64_t j = atMost(static_cast<std::uint64_t>(i));
      std::swap(items[static_cast<std::size_t>(i)], items[j]);
    }
  }
  std::vector<std::int64_t> tailShuffle(std::int64_t population, std::int64_t size) {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(population));
    std::iota(ids.begin(), ids.end(), std::int64_t{0});
    shuffleFrom(ids, std::max<std::int64_t>(population - size, 1));
    return {ids.end() - size, ids.end()};
  }
  std::vector<std::int64_t> floyd(std::int64_t population, std::int64_t size) {
    const std::uint64_t mask = maskOf(static_cast<std::uint64_t>(1.2 * static_cast<double>(size)));
    std::vector<std::int64_t> taken(mask + 1, -1);
    const auto insert = [&](std::int64_t value) {
      std::uint64_t place = static_cast<std::uint64_t>(value) & mask;
      while (taken[place] != -1 && taken[place] != value) place = (place + 1) & mask;
      return std::exchange(taken[place], value) == -1;
    };
    std::vector<std::int64_t> chosen;
    chosen.reserve(static_cast<std::size_t>(size));
    for (std::int64_t j = population - size; j < population; ++j) {
      const auto value = static_cast<std::int64_t>(atMost(static_cast<std::uint64_t>(j)));
      const bool fresh = insert(value);
      if (!fresh) insert(j);
      chosen.push_back(fresh ? value : j);
    }
    return chosen;
  }

  Bits bits_;
};

/// numpy.random.default_rng.
using NumpyGenerator = NumpyGeneratorOf<NumpyPcg64>;

}  // namespace shardlens
