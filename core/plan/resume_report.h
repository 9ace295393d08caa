// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/resume.h"
#include "core/plan/resume_outcome.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {

/// A way to go on, with what comes of it.
struct JudgedWay {
  ResumeWay way;
  std::int64_t trained = 0;              ///< items before the stop, over all ranks
  std::int64_t planned = 0;              ///< items of the whole epoch
  std::optional<ResumeOutcome> outcome;  ///< none for a way that raises, or that nobody can predict
};

/// Every way of resumeWays() judged. What a framework raises becomes its way's error; Usage, Cancelled and Environment
/// fail the whole. `pieces`: as for resumeOutcome().
Result<std::vector<JudgedWay>> resumeReport(const PipelineSpec& spec, const ResumePoint& point, std::int64_t pieces,
                                            const Work& work = {});

}  // namespace shardlens
