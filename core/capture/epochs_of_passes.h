// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/job_loaders.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace shardlens::capture {

/// Which epoch of a design each pass of a rank over a loader is: the one that the sampler was told, if the design has
/// it; for a sampler that was told none, the next one, from the epoch at which the others began. A pass that only looks
/// into an epoch which the rank reads as well is an extra read: a first batch that is shown, or an evaluation.
class EpochsOfPasses {
 public:
  /// `epochs` is how many the design has. One that holds batches as they were read has passes for epochs: no pass is an
  /// extra read, and epochs that samplers were told count only where all ranks have them one after the other, from the
  /// same one on.
  EpochsOfPasses(const JobLoader& job, std::int64_t epochs, bool passes_are_epochs = false);

  /// Whether the samplers say which epochs these are: of those that were told any, or, where passes are epochs, of all.
  [[nodiscard]] bool areTold() const { return are_told_; }
  /// The first epoch of the run.
  [[nodiscard]] std::int64_t first() const { return first_; }
  /// Of the `index`-th pass of this rank; nothing for an extra read.
  [[nodiscard]] std::optional<std::int64_t> of(std::int64_t rank, std::size_t index) const;
  /// The last epoch that any rank reads, and one.
  [[nodiscard]] std::int64_t end() const;
  /// Over all ranks.
  [[nodiscard]] std::int64_t extraReads() const;

 private:
  bool are_told_ = false;
  std::int64_t first_ = 0;
  std::map<std::int64_t, std::vector<std::optional<std::int64_t>>> epochs_;  ///< of the passes, by rank
};

}  // namespace shardlens::capture
