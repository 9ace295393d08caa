// SPDX-License-Identifier: Apache-2.0
#include "core/plan/batch_bits.h"

#include <algorithm>
#include <bit>

namespace shardlens {

BatchBits::BatchBits(std::int64_t ranks, std::int64_t steps)
    : steps_(steps), words_((steps + 63) / 64), bits_(static_cast<std::size_t>(words_ * ranks), 0) {}

void BatchBits::copyRank(std::int64_t from, std::int64_t to) {
  std::copy_n(bits_.begin() + from * words_, words_, bits_.begin() + to * words_);
}

void BatchBits::seal() {
  counts_.assign(bits_.size(), 0);
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    if (static_cast<std::int64_t>(word) % words_ == 0) continue;
    counts_[word] = counts_[word - 1] + static_cast<std::uint32_t>(std::popcount(bits_[word - 1]));
  }
}

std::int64_t BatchBits::count(std::int64_t rank, std::int64_t first, std::int64_t last) const {
  if (bits_.empty() || first >= last) return 0;
  return before(rank, std::min(last, steps_)) - before(rank, std::min(first, steps_));
}

std::int64_t BatchBits::before(std::int64_t rank, std::int64_t step) const {
  const std::int64_t in_rank = std::min(step / 64, words_ - 1);
  const std::int64_t rest = step - in_rank * 64;
  const std::uint64_t mask = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
  const auto word = static_cast<std::size_t>(rank * words_ + in_rank);
  return counts_[word] + std::popcount(bits_[word] & mask);
}

}  // namespace shardlens
