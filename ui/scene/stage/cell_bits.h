// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <cstdint>
#include <vector>

namespace shardlens::ui {

/// One bit for each batch of an epoch, ranks by steps, that counts any stretch of a rank in constant time. Set first,
/// then seal(), then ask.
class CellBits {
 public:
  CellBits() = default;
  CellBits(qint64 ranks, qint64 steps);

  [[nodiscard]] bool isEmpty() const { return bits_.empty(); }
  void set(qint64 rank, qint64 step) { bits_[rank * words_ + step / 64] |= std::uint64_t{1} << (step % 64); }
  /// Makes one rank's bits those of another.
  void copyRank(qint64 from, qint64 to);
  void seal();
  /// Bits of the rank in the steps [first, last); steps beyond the end have none.
  [[nodiscard]] qint64 count(qint64 rank, qint64 first, qint64 last) const;

 private:
  [[nodiscard]] qint64 before(qint64 rank, qint64 step) const;

  qint64 steps_ = 0;
  qint64 words_ = 0;                   ///< of a rank
  std::vector<std::uint64_t> bits_;    ///< rank after rank, each on whole words
  std::vector<std::uint32_t> counts_;  ///< bits set in all words before this one, within the rank
};

}  // namespace shardlens::ui
