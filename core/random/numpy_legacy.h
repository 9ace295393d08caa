// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>
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
  /// A whole number in [0, most] by masking and rejecting; 32-bit draws when `most` fits, otherwise two an attempt.
  std::uint64_t bounded(std::uint64_t most);
  /// shuffle of 0..n-1: for i from n-1 down to 1 swap [i] with [bounded(i)].
  std::vector<std::int64_t> permutation(std::int64_t n);

 private:
  Mt19937 engine_;
};

}  // namespace shardlens
