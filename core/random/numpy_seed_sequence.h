// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
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

}  // namespace shardlens
