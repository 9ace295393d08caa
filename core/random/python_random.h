// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>

namespace shardlens {

/// Python's random.Random, bit for bit; identical in CPython 3.11 to 3.13. Source: Modules/_randommodule.c,
/// Lib/random.py.
class PythonRandom {
 public:
  /// random.seed(seed): init_by_array of the absolute value's 32-bit words, so -42 and 42 give the same stream.
  explicit PythonRandom(std::int64_t seed);
  /// The same for a seed of 64 bits without sign.
  static PythonRandom ofUnsigned(std::uint64_t seed) { return PythonRandom(Magnitude{seed}); }
  /// The same for a number of any length, as its 32-bit words, low word first and without leading zero words.
  static PythonRandom ofWords(std::span<const std::uint32_t> words) { return PythonRandom(Mt19937::byArray(words)); }

  /// getrandbits(bits), 1 to 64 bits: the high bits of 32-bit outputs, low word first.
  std::uint64_t getrandbits(int bits);
  /// randrange(n), n >= 1: getrandbits(n.bit_length()) until it is below n.
  std::uint64_t randbelow(std::uint64_t n);
  /// random(): 53 bits of two outputs.
  double random();
  /// random.shuffle.
  void shuffle(std::span<std::int64_t> items);

 private:
  struct Magnitude {
    std::uint64_t value;
  };
  explicit PythonRandom(Magnitude seed);
  explicit PythonRandom(Mt19937 engine) : engine_(engine) {}

  Mt19937 engine_;
};

}  // namespace shardlens
