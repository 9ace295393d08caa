// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/recorded_batches.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::capture {

/// What all ranks together read in one pass, as far as it was recorded.
struct PassReading {
  std::size_t index = 0;                 ///< of the pass among those of a rank
  std::vector<std::int64_t> ranks;       ///< that began it
  std::vector<std::int64_t> without;     ///< of these, those that got no batch
  std::vector<std::int64_t> raised;      ///< of those, the ones whose first batch raised when it was loaded
  std::vector<std::int64_t> left;        ///< and those that left it, and did not ask for another batch
  std::vector<std::int64_t> stopped;     ///< and those that got no more of it; whether they asked is not recorded
  std::vector<std::int64_t> cut;         ///< and those that asked for another batch, and got none
  std::vector<std::int64_t> unfinished;  ///< and those that may have gone on after what is recorded
  bool goes_on = false;                  ///< their job does
  std::int64_t failed = 0;               ///< batches whose loading raised: their samples are not counted
  std::int64_t batches = 0;
  std::int64_t items = 0;
  std::int64_t samples = 0;                 ///< different ones among the items
  std::int64_t shared = 0;                  ///< of these, read by several ranks
  std::int64_t repeated = 0;                ///< items that their own rank had read before in this pass
  std::optional<std::size_t> same_as = {};  ///< the first earlier pass with the same batches on every rank
};

/// What a loader of the job read, computed from the recorded ids alone, whatever its sampler was.
struct Reading {
  std::vector<PassReading> passes;
  std::optional<std::int64_t> dataset_size;  ///< none: the ranks' datasets say none, or different ones, or it grew
  std::int64_t never_read = 0;               ///< samples of the dataset that are in no recorded batch of any pass
};

/// Counts what was read. `job` is the loader that `passes` are of, as recordedPasses() gives them.
Reading readingOf(const JobLoader& job, const std::vector<RecordedPass>& passes);

}  // namespace shardlens::capture
