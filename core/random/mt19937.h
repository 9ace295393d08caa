// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace shardlens {

/// The Mersenne Twister (Matsumoto and Nishimura, 2002) that torch, NumPy's RandomState and Python's random share; they
/// differ in how they seed it and in what they make of its 32-bit outputs.
class Mt19937 {
 public:
  static constexpr std::size_t kWords = 624;

  /// init_genrand: Knuth's recurrence from one word.
  explicit Mt19937(std::uint32_t seed);
  /// init_by_array: from at least one word.
  static Mt19937 byArray(std::span<const std::uint32_t> key);
  /// A complete state of kWords words, of which `next` (at most kWords) are used up.
  static Mt19937 ofState(std::span<const std::uint32_t> words, std::size_t next);

  std::uint32_t next() {
    if (next_ == kWords) refill();
    return temper(state_[next_++]);
  }
  /// The next outputs.size() outputs, faster than one by one.
  void fill(std::span<std::uint32_t> outputs);
  /// Continues as if `count` outputs had been drawn; takes a few milliseconds for any number.
  void skip(std::uint64_t count);
  /// The output that a word of the state gives.
  static std::uint32_t temper(std::uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9D2C5680U;
    word ^= (word << 15) & 0xEFC60000U;
    return word ^ (word >> 18);
  }

 private:
  void refill();
  /// Advances by at most `count` outputs, and by all but fewer than kWords of them; returns by how many.
  std::uint64_t jumpBelow(std::uint64_t count);

  std::array<std::uint32_t, kWords> state_{};
  std::size_t next_ = kWords;
};

}  // namespace shardlens
