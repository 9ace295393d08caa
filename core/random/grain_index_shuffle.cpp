// SPDX-License-Identifier: Apache-2.0
#include "core/random/grain_index_shuffle.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace shardlens {
namespace {

constexpr int kLeastBlockBits = 16;

/// Bits of a block: ceil(log2(max_index)), as doubles give it, made even.
int blockBits(std::uint64_t max_index) {
  if (max_index == 0) return kLeastBlockBits;
  const int bits = static_cast<int>(std::ceil(std::log2(static_cast<double>(max_index))));
  return std::max(bits + bits % 2, kLeastBlockBits);
}

std::vector<std::uint32_t> roundKeys(std::uint32_t seed, std::uint32_t rounds) {
  std::vector<std::uint32_t> keys(rounds);
  std::seed_seq sequence{seed};
  sequence.generate(keys.begin(), keys.end());
  return keys;
}

}  // namespace

GrainIndexShuffle::GrainIndexShuffle(std::uint64_t max_index, std::uint32_t seed, std::uint32_t rounds)
    : max_index_(max_index),
      half_bits_(blockBits(max_index) / 2),
      mask_((std::uint64_t{1} << half_bits_) - 1),
      keys_(roundKeys(seed, rounds)) {
  assert(rounds % 2 == 0);
}

std::uint64_t GrainIndexShuffle::mixed(std::uint64_t half) const {
  const auto turned = [&](int by) { return (half << by | half >> (half_bits_ - by)) & mask_; };
  // Eight bits turned by eight are themselves.
  const std::uint64_t by_eight = half_bits_ == 8 ? half : turned(8);
  return (turned(1) & by_eight) ^ turned(2);
}

std::uint64_t GrainIndexShuffle::encrypt(std::uint64_t value) const {
  std::uint64_t left = value >> half_bits_ & mask_;
  std::uint64_t right = value & mask_;
  for (std::size_t i = 0; i < keys_.size(); i += 2) {
    left ^= mixed(right) ^ (keys_[i] & mask_);
    right ^= mixed(left) ^ (keys_[i + 1] & mask_);
  }
  return left << half_bits_ | right;
}

std::uint64_t GrainIndexShuffle::operator()(std::uint64_t index) const {
  if (max_index_ == 0) return 0;
  do index = encrypt(index);
  while (index > max_index_);
  return index;
}

}  // namespace shardlens
