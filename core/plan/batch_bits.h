// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardlens {

/// One bit for each batch of an epoch, ranks by steps, that counts any range of a rank in constant time. First set
/// bits, then seal(), then count.
class BatchBits {
 public:
  BatchBits() = default;
  BatchBits(std::int64_t ranks, std::int64_t steps);

  [[nodiscard]] bool isEmpty() const { return bits_.empty(); }
  void set(std::int64_t rank, std::int64_t step) {
    bits_[static_cast<std::size_t>(rank * words_ + step / 64)] |= std::uint64_t{1} << (step % 64);
  }
  /// Makes one rank's bits those of another.
  void copyRank(std::int64_t from, std::int64_t to);
  void seal();
  /// Bits of the rank in the steps [first, last); steps beyond the end have none.
  [[nodiscard]] std::int64_t count(std::int64_t rank, std::int64_t first, std::int64_t last) const;

 private:
  [[nodiscard]] std::int64_t before(std::int64_t rank, std::int64_t step) const;

  std::int64_t steps_ = 0;
  std::int64_t words_ = 0;             ///< of a rank
  std::vector<std::uint64_t> bits_;    ///< rank after rank, each on whole words
  std::vector<std::uint32_t> counts_;  ///< bits set in all words before this one, within the rank
};

}  // namespace shardlens
