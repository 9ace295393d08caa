// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/mt19937.h"

#include <cstdint>
#include <span>
#include <string_view>

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

/// torch.randint(low, high) on the CPU, number by number: one output modulo the range, or two from a border on that
/// newer releases have lowered. Source: ATen random_from_to, DistributionsHelper.h.
class TorchRandint {
 public:
  /// Numbers low .. high - 1 as this release ("1.13", "2.6", "2.9") draws them; low < high.
  TorchRandint(std::string_view release, std::int64_t low, std::int64_t high)
      : low_(static_cast<std::uint64_t>(low)), range_(static_cast<std::uint64_t>(high) - low_) {
    const bool old = release == "1.13" || release == "2.6";
    pairs_ = range_ >= std::uint64_t{1} << (old ? 32 : 28);
  }

  std::int64_t operator()(TorchGenerator& generator) const {
    const std::uint64_t output = pairs_ ? generator.random64() : generator.random();
    return static_cast<std::int64_t>(low_ + output % range_);
  }
  /// Outputs of the generator that one number takes.
  [[nodiscard]] std::uint64_t outputs() const { return pairs_ ? 2 : 1; }

 private:
  std::uint64_t low_;
  std::uint64_t range_;
  bool pairs_ = false;
};

}  // namespace shardlens
