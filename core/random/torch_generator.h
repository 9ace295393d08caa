// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>

namespace shardlens {

/// PyTorch's CPU generator, output for output. Source: ATen MT19937RNGEngine and CPUGeneratorImpl (torch 1.13 to 2.9).
/// Seeded only from the low 32 bits of the seed: seeds that differ only above bit 31 give the same stream.
class TorchGenerator {
 public:
  /// Negative seeds are taken modulo 2^64, as torch.manual_seed does.
  explicit TorchGenerator(std::uint64_t seed) : seed_(seed), engine_(static_cast<std::uint32_t>(seed)) {}

  /// The full seed given, as torch's initial_seed() returns it.
  [[nodiscard]] std::uint64_t initialSeed() const { return seed_; }

  /// One output.
  std::uint32_t random() { return engine_.next(); }
  /// Two outputs, the first is the high word.
  std::uint64_t random64() {
    const std::uint64_t high = random();
    return high << 32 | random();
  }
  /// int64 random_() without bounds: 63 bits. This draw gives a DataLoader's base_seed and RandomSampler's own seed.
  std::int64_t random63() { return static_cast<std::int64_t>(random64() & 0x7FFF'FFFF'FFFF'FFFFULL); }
  /// rand() of float32 times 2^24, and of float64 times 2^53: the whole numbers that they are made from.
  std::uint32_t random24() { return random() & 0xFF'FFFFU; }
  std::uint64_t random53() { return random64() & 0x1F'FFFF'FFFF'FFFFULL; }

  /// The next outputs.size() outputs, faster than one by one.
  void fill(std::span<std::uint32_t> outputs) { engine_.fill(outputs); }
  /// Continues as if `count` outputs had been drawn.
  void skip(std::uint64_t count) { engine_.skip(count); }

 private:
  std::uint64_t seed_;
  Mt19937 engine_;
};

}  // namespace shardlens
