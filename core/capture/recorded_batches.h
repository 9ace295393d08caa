// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/recorded_job.h"
#include "core/plan/rank_epoch.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace shardlens::capture {

/// What the ranks of a loader drew, as it was recorded, in the shape of a plan. An epoch is a pass: the first one of
/// each rank is epoch 0, whatever its sampler was told. Nothing is known of other ranks. Holds all recorded ids, so its
/// memory is at most that of the probes' files.
class RecordedBatches {
 public:
  /// BadInput when a rank drew items that are no whole numbers, or when a batch before others is not recorded.
  static Result<RecordedBatches> read(const RecordedJob& job, std::size_t loader, const Work& work = {});

  [[nodiscard]] const JobLoader& loader() const { return loader_; }
  [[nodiscard]] std::int64_t epochs() const { return epochs_; }
  /// Nothing when the rank, or this pass of it, was not recorded.
  [[nodiscard]] std::optional<RankEpoch> rankEpoch(Epoch epoch, Rank rank) const;
  /// Over all ranks and passes.
  [[nodiscard]] std::int64_t batches() const { return batches_; }

 private:
  JobLoader loader_;
  std::int64_t epochs_ = 0;
  std::int64_t batches_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, OrderPtr> orders_;  ///< by rank and pass
};

}  // namespace shardlens::capture
