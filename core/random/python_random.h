// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

  /// random.seed(text): the number that the text's UTF-8 bytes and their SHA-512 spell, high byte first.
  static PythonRandom ofText(std::string_view text);
  /// random.seed(number): the number's hash(), modulo 2^64. Expects a number that is none of the NaNs.
  static PythonRandom ofReal(double number);

  /// getrandbits(bits), 1 to 64 bits: the high bits of 32-bit outputs, low word first.
  std::uint64_t getrandbits(int bits);
  /// randrange(n), n >= 1: getrandbits(n.bit_length()) until it is below n.
  std::uint64_t randbelow(std::uint64_t n);
  /// random() times 2^53, of two outputs, and random() itself.
  std::uint64_t random53();
  double random() { return static_cast<double>(random53()) / 9007199254740992.0; }
  /// random.shuffle.
  void shuffle(std::span<std::int64_t> items);
  /// sample(range(n), k), 0 <= k <= n.
  std::vector<std::int64_t> sample(std::int64_t n, std::int64_t k);
  /// One of choices(range(n)), n >= 1; other draws than randbelow(n).
  std::int64_t choices(std::int64_t n);
  /// One of choices(range(n), cum_weights=sums): running sums of n >= 1 weights, the last one positive and finite.
  std::int64_t choices(std::span<const double> sums);

 private:
  struct Magnitude {
    std::uint64_t value;
  };
  explicit PythonRandom(Magnitude seed);
  explicit PythonRandom(Mt19937 engine) : engine_(engine) {}

  std::vector<std::int64_t> sampleFromPool(std::int64_t n, std::int64_t k);
  std::vector<std::int64_t> sampleIntoSet(std::int64_t n, std::int64_t k);

  Mt19937 engine_;
};

/// hash(number) of CPython: the number modulo 2^61 - 1, of any int or float of 64 bits. Expects no NaN. Source:
/// Python/pyhash.c, Objects/longobject.c.
std::int64_t pythonHash(std::int64_t number);
std::int64_t pythonHash(double number);

}  // namespace shardlens
