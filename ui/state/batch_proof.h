// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <cstdint>
#include <vector>

namespace shardlens::ui {

/// What is known of one planned batch of a run.
enum class BatchMark : std::uint8_t { Unknown, Match, Mismatch };

/// Planned batch against consumed batch, rank by rank, over the last steps of a run. Steps count over all epochs.
struct BatchProof {
  qint64 ranks = 0;
  qint64 first_step = 0;
  qint64 steps = 0;
  std::vector<BatchMark> marks;  ///< step-major: marks[(step - first_step) * ranks + rank]

  [[nodiscard]] BatchMark at(qint64 rank, qint64 column) const {
    return marks[static_cast<std::size_t>(column * ranks + rank)];
  }
};

/// Keeps the marks of the last kWindow steps, whatever the length of the run.
class ProofRecorder {
 public:
  static constexpr qint64 kWindow = 256;

  explicit ProofRecorder(qint64 ranks = 0);
  /// Steps far behind the newest one are forgotten already, and ignored.
  void add(qint64 rank, qint64 global_step, bool matches);
  [[nodiscard]] BatchProof recent() const;

 private:
  [[nodiscard]] std::size_t column(qint64 global_step) const;

  qint64 ranks_;
  qint64 newest_ = -1;
  std::vector<BatchMark> ring_;
};

}  // namespace shardlens::ui
