// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/recorded_job.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::capture {

/// How it is known which batches an optimizer step took.
enum class StepsKnown {
  Recorded,  ///< the steps of the optimizer are recorded
  BySpec,    ///< a spec says how many each takes
  No,        ///< it is not: each batch is taken as a step
};

/// Why recorded steps do not say which batches they took.
struct StepsGap {
  enum class Reason {
    NotTrained,  ///< the job was not seen to train on this loader
    Damage,      ///< steps of this rank may be lost
    NoSteps,     ///< of an optimizer of torch were seen on this rank
    Uneven,      ///< in this pass, the number of backward passes differs from batch to batch
    Cleared,     ///< in this pass, gradients were cleared right before a step
    Carried,     ///< a step may have taken batches of this pass and of another loader together
  };

  Reason reason = Reason::NoSteps;
  std::int64_t rank = 0;
  std::size_t pass = 0;  ///< among those of the rank over the loader
};

/// A batch that the loop of a rank got.
struct StepBatch {
  enum class Samples {
    Known,
    NoNumbers,    ///< its items are no whole numbers
    Stream,       ///< the dataset is iterable, so that no indices are drawn
    Dispatched,   ///< rank 0 read for all ranks, and what each was sent is not recorded
    NotInOrder,   ///< the loop got batches as workers had them ready: which one this was is not recorded
    NotRecorded,  ///< it is not in the file, or damaged there
  };

  std::size_t pass = 0;               ///< among those of the rank over the loader
  std::optional<std::int64_t> epoch;  ///< that its sampler said
  std::int64_t step = 0;              ///< in its pass
  Samples known = Samples::NotRecorded;
  std::vector<SampleIndex> samples;  ///< where they are known
};

struct RankStep {
  std::int64_t rank = 0;
  std::int64_t steps = 0;          ///< of this rank, as far as it was recorded
  std::int64_t discarded = 0;      ///< batches whose gradients were cleared before a recorded step took them
  std::vector<StepBatch> batches;  ///< of the step that was asked for; empty: the rank has none
};

/// A step over all passes of a loader, from 0 on. Passes on which no backward pass follows are no part of a training.
struct StepSamples {
  StepsKnown known = StepsKnown::No;
  std::optional<StepsGap> gap;  ///< unless they are Recorded
  std::vector<RankStep> ranks;  ///< those that read the loader
};

/// What the ranks, or one of them, got for a step of the loader. `per_step` is what a spec says, for where nothing was
/// recorded. `job` is that of skimJob().
Result<StepSamples> samplesOfStep(const RecordedJob& job, std::size_t loader, std::int64_t step,
                                  std::optional<std::int64_t> rank, std::optional<std::int64_t> per_step,
                                  const Work& work = {});

}  // namespace shardlens::capture
