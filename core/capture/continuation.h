// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/agreement.h"
#include "core/capture/recorded_job.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::capture {

/// Where a rank is in a plan: the next batch that it reads.
struct PlanPlace {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  bool operator==(const PlanPlace&) const = default;
};

/// A rank of the second job, in the epochs that concern both jobs.
struct RankContinuation {
  std::int64_t rank = 0;
  std::int64_t batches = 0;
  std::int64_t repeated = 0;            ///< items whose sample the first job had read in the same epoch, on any rank
  std::int64_t read_first = 0;          ///< the other items
  std::optional<std::int64_t> skipped;  ///< samples that the plan gives this rank, and neither job read
  std::optional<PlanPlace> expected;    ///< where the first job ended, in the plan of this one's world
  std::optional<PlanPlace> began;       ///< where its batches are in that plan
};

/// One epoch, over all ranks of both jobs; different samples are counted.
struct EpochContinuation {
  std::int64_t epoch = 0;
  std::int64_t read_before = 0;          ///< by the first job
  std::int64_t repeated = 0;             ///< of these, by the second one as well
  std::int64_t read_first = 0;           ///< by the second job alone
  std::optional<std::int64_t> skipped;   ///< by neither; none: the second job may read on, or the size is not known
  std::optional<std::int64_t> left_out;  ///< of the skipped, those that the plan gives nobody
};

enum class PlanOrder {
  Followed,  ///< every recorded batch of the second job is the plan's, one after the other
  Differs,
  NotKnown,  ///< no rule is known that gives what the first job read
};

/// A job that continued another one.
struct Continuation {
  std::vector<EpochContinuation> epochs;  ///< from where the first job ended, or where the second began if before that
  std::vector<RankContinuation> ranks;    ///< of the second job
  PlanOrder order = PlanOrder::NotKnown;
  std::vector<std::string> no_plan;                 ///< why, where the order is not known
  std::string sampler;                              ///< of the plan
  std::int64_t compared = 0;                        ///< batches of the second job
  std::optional<FirstDifference> first_difference;  ///< from the plan
  std::vector<std::int64_t> open_before;            ///< ranks of the first job that may have read more than is recorded
  std::vector<std::int64_t> open_after;             ///< likewise of the second
  std::vector<std::int64_t> unseen_before;          ///< ranks of its world that were not seen to read the loader
  std::vector<std::int64_t> unseen_after;
  /// Else the second job's first pass is taken as the first epoch that not all ranks of the first read to its end.
  bool epochs_are_told = true;

  /// Everything that was read is known.
  [[nodiscard]] bool isWhole() const {
    return open_before.empty() && open_after.empty() && unseen_before.empty() && unseen_after.empty();
  }
  /// Every rank began where the first job ended.
  [[nodiscard]] bool beganWhereEnded() const;
};

/// What a loader of the second job repeated, skipped and read first after that of the first job. BadInput where ids
/// cannot be compared: a stream, other datasets, batches that are not recorded.
Result<Continuation> continuationOf(const RecordedJob& before, std::size_t loader_before, const RecordedJob& after,
                                    std::size_t loader_after, const Work& work = {});

}  // namespace shardlens::capture
