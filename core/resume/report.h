// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/resume/outcome.h"
#include "core/resume/resume.h"

#include <cstdint>
#include <functional>
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

/// Every way of resumeWays() judged. What a framework raises becomes its way's error, and so does what this machine
/// cannot hold (Environment); Usage and Cancelled fail the whole. `pieces`: as for resumeOutcome(). Large epochs take
/// seconds a way: `on_way` is told of each as soon as it is known.
Result<std::vector<JudgedWay>> resumeReport(const PipelineSpec& spec, const ResumePoint& point, std::int64_t pieces,
                                            const Work& work = {},
                                            const std::function<void(const JudgedWay&)>& on_way = {});

}  // namespace shardlens
