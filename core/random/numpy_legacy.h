// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace shardlens {

/// NumPy's RandomState (np.random.seed and friends), bit for bit; identical in NumPy 1.24 and 2.2. Source:
/// numpy/random/mtrand.pyx, _legacy_seeding of _mt19937.pyx, distributions.c.
class NumpyLegacy {
 public:
  /// RandomState(seed) of one integer below 2^32.
  explicit NumpyLegacy(std::uint32_t seed) : engine_(seed) {}
  /// RandomState([...]) of a list of at least one word: init_by_array.
  explicit NumpyLegacy(std::span<const std::uint32_t> words) : engine_(Mt19937::byArray(words)) {}

  /// One 32-bit output: also randint(0, 2^32, dtype=uint64).
  std::uint32_t next() { return engine_.next(); }
  /// A whole number in [0, most] by masking and rejecting; 32-bit draws when `most` fits, otherwise two per attempt.
  std::uint64_t bounded(std::uint64_t most);
  /// random_sample() times 2^53, and random_sample() itself.
  std::uint64_t random53();
  double random() { return static_cast<double>(random53()) / 9007199254740992.0; }

  /// shuffle of a list or an array: for i from n-1 down to 1 swap [i] with [bounded(i)].
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[bounded(i)]);
  }
  /// permutation(n): shuffle of 0..n-1.
  std::vector<std::int64_t> permutation(std::int64_t n);

  /// choice(n, size, replace): positions below n. Expects n >= 1, and no more than n when they are not replaced.
  std::vector<std::int64_t> choice(std::int64_t n, std::size_t size, bool replace);
  /// choice(n, size, replace, p) of n = p.size() probabilities. Expects a positive sum, and as many probabilities
  /// above zero as positions when they are not replaced.
  std::vector<std::int64_t> choice(std::vector<double> p, std::size_t size, bool replace);

 private:
  Mt19937 engine_;
};

/// sum() of a contiguous array of doubles as NumPy 1.24 to 2.2 rounds it: halves of at most 128 items, eight partial
/// sums in each.
double numpySum(std::span<const double> items);

}  // namespace shardlens
