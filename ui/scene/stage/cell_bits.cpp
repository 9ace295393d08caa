// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/cell_bits.h"

#include <algorithm>
#include <bit>

namespace shardlens::ui {

CellBits::CellBits(qint64 ranks, qint64 steps)
    : steps_(steps), words_((steps + 63) / 64), bits_(static_cast<std::size_t>(words_ * ranks), 0) {}

void CellBits::copyRank(qint64 from, qint64 to) {
  std::copy_n(bits_.begin() + from * words_, words_, bits_.begin() + to * words_);
}

void CellBits::seal() {
  counts_.assign(bits_.size(), 0);
  for (std::size_t word = 0; word < bits_.size(); ++word) {
    if (static_cast<qint64>(word) % words_ == 0) continue;
    counts_[word] = counts_[word - 1] + static_cast<std::uint32_t>(std::popcount(bits_[word - 1]));
  }
}

qint64 CellBits::count(qint64 rank, qint64 first, qint64 last) const {
  if (bits_.empty() || first >= last) return 0;
  return before(rank, std::min(last, steps_)) - before(rank, std::min(first, steps_));
}

qint64 CellBits::before(qint64 rank, qint64 step) const {
  const qint64 in_rank = std::min(step / 64, words_ - 1);
  const qint64 rest = step - in_rank * 64;
  const std::uint64_t mask = rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
  const qint64 word = rank * words_ + in_rank;
  return counts_[word] + std::popcount(bits_[word] & mask);
}

}  // namespace shardlens::ui
