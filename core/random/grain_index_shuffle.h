// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace shardlens {

/// Grain's index_shuffle: where one index of 0..max_index goes, without the others. A Feistel network with the round
/// function of the Simon cipher, over blocks of an even number of bits, at least 16, applied again until the result is
/// no larger than max_index; the round keys come from C++'s std::seed_seq. Reproduces its defect: where max_index does
/// not fit into the block, as 2^k of an even k >= 16 does not, the last index goes where index 0 goes, so that one
/// element comes twice and another never. Source: google/grain @f5dd0d8,
/// grain/_src/python/experimental/index_shuffle/index_shuffle.cc.
class GrainIndexShuffle {
 public:
  /// Four rounds, as Grain's data pipeline has them, or another even number.
  GrainIndexShuffle(std::uint64_t max_index, std::uint32_t seed, std::uint32_t rounds = 4);

  /// The place of `index`, which is at most max_index.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t index) const;

 private:
  [[nodiscard]] std::uint64_t encrypt(std::uint64_t value) const;
  [[nodiscard]] std::uint64_t mixed(std::uint64_t half) const;

  std::uint64_t max_index_;
  int half_bits_;
  std::uint64_t mask_;  ///< of half a block
  std::vector<std::uint32_t> keys_;
};

}  // namespace shardlens
