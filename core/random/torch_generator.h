// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace shardlens {

/// PyTorch's CPU generator, output for output. Source: ATen MT19937RNGEngine and CPUGeneratorImpl (torch 1.13 to 2.9).
/// MT19937 seeded by Knuth's recurrence from the low 32 bits of the seed alone: seeds that differ only above bit 31
/// give the same stream.
class TorchGenerator {
 public:
  explicit TorchGenerator(std::uint64_t seed);

  /// The full seed given, as torch's initial_seed() returns it.
  [[nodiscard]] std::uint64_t initialSeed() const { return seed_; }

  /// One output.
  std::uint32_t random() {
    if (next_ == kWords) refill();
    return temper(state_[next_++]);
  }
  /// Two outputs, the first is the high word.
  std::uint64_t random64() {
    const std::uint64_t high = random();
    return high << 32 | random();
  }
  /// int64 random_() without bounds: 63 bits. The draw behind a DataLoader's base_seed and RandomSampler's own seed.
  std::int64_t random63() { return static_cast<std::int64_t>(random64() & 0x7FFF'FFFF'FFFF'FFFFULL); }

  /// The next outputs.size() outputs, faster than one by one.
  void fill(std::span<std::uint32_t> outputs);
  /// Goes on as if `count` outputs had been drawn.
  void skip(std::uint64_t count);

 private:
  static constexpr std::size_t kWords = 624;
  static std::uint32_t temper(std::uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9D2C5680U;
    word ^= (word << 15) & 0xEFC60000U;
    return word ^ (word >> 18);
  }
  void refill();

  std::uint64_t seed_;
  std::array<std::uint32_t, kWords> state_{};
  std::size_t next_ = kWords;
};

}  // namespace shardlens
