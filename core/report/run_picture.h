// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/timeline/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardlens {

/// A part of a row: columns [first, last) that mostly hold this phase.
struct PictureBlock {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Phase phase = Phase::Unmeasured;

  bool operator==(const PictureBlock&) const = default;
};

/// One row of the picture: the ranks [first_rank, last_rank), and what they did. Columns without a block hold nothing
/// that was measured.
struct PictureRow {
  std::int64_t first_rank = 0;
  std::int64_t last_rank = 0;
  std::vector<PictureBlock> blocks;
};

/// What every rank did over a whole run, on a bounded number of columns: its size depends on the number of ranks alone.
class RunPicture {
 public:
  static constexpr std::int64_t kColumns = 1024;

  /// A lane for each rank, in any order; ranks without a lane have done nothing that was measured. Ends where the
  /// timeline does, unless nothing was measured at all.
  RunPicture() = default;
  RunPicture(const Timeline& timeline, std::int64_t ranks);

  /// How long one column lasts.
  [[nodiscard]] std::int64_t columnNs() const { return column_ns_; }
  /// Columns up to the end, at most kColumns.
  [[nodiscard]] std::int64_t columns() const;
  /// At most so many rows, by rank. A column shows the phase that takes most of it; time without a span counts as a
  /// phase of its own. Where several ranks share a row, each column shows the one that loads and computes longest: the
  /// one that the others wait for.
  [[nodiscard]] std::vector<PictureRow> rows(std::int64_t most) const;

 private:
  /// Nanoseconds of Load, Compute, Wait and Transfer.
  using Column = std::array<std::int64_t, 4>;

  void add(std::int64_t rank, const Span& span);
  [[nodiscard]] Phase phaseOf(std::int64_t at, const Column& column) const;
  [[nodiscard]] Column at(std::size_t rank, std::size_t column) const {
    return ranks_[rank].empty() ? Column{} : ranks_[rank][column];
  }
  [[nodiscard]] PictureRow row(std::int64_t first_rank, std::int64_t last_rank) const;

  std::vector<std::vector<Column>> ranks_;  ///< empty for a rank of which nothing was measured
  std::int64_t column_ns_ = 1;
  std::int64_t end_ns_ = 0;
};

}  // namespace shardlens
