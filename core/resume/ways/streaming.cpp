// SPDX-License-Identifier: Apache-2.0
// MosaicML Streaming 89e7bb9 (dataset.py, state_dict and _resume): a state holds the epoch, the samples that all ranks
// saw of it, the nodes of the first run and the canonical nodes that follow from them.
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/plan/plan.h"
#include "core/resume/ways/ways.h"

#include <algorithm>
#include <string>

namespace shardlens::resumes {
namespace {

/// StreamingDataLoader counts the samples of its own batches, and state_dict() takes rank 0's count for every rank's;
/// ranks that read the same count once (0.7.5). In the epoch that was resumed before, what was seen until then is
/// added.
Result<std::int64_t> seenIn(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto plan = Plan::make(stopped);
  if (!plan) return plan.error();
  const auto rank = plan->rankEpoch(point.epoch, Rank{0}, work);
  if (!rank) return rank.error();
  std::int64_t seen = 0;
  const std::int64_t steps = std::min(point.steps, rank->batches());
  for (Step step{0}; step.value < steps; ++step) seen += rank->batch(step).size();
  const bool was_resumed = point.epoch.value == numberGiven(stopped, "epoch", 0);
  return seen * stopped.worldSize() / numberGiven(stopped, "replication", 1) +
         (was_resumed ? numberGiven(stopped, "sample_in_epoch", 0) : 0);
}

/// The state that a first run saves, whose parameters are part of the sampler's.
PipelineSpec loaded(const PipelineSpec& stopped, const ResumePoint& point, std::int64_t sample_in_epoch) {
  PipelineSpec spec = resumedSpec(stopped, point);
  auto& parameters = spec.sampler.parameters;
  parameters["epoch"] = point.epoch.value;
  parameters["sample_in_epoch"] = sample_in_epoch;
  parameters.try_emplace("initial_physical_nodes", stopped.world.nodes);
  return spec;
}

}  // namespace

std::vector<ResumeWay> streaming(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto seen = seenIn(stopped, point, work);
  ResumeWay way = makeWay(stopped, "streaming", "Streaming: load_state_dict", "");
  if (!seen) {
    way.rule =
        worded("resume", "The epoch is rebuilt from its seed for the new ranks, without the samples already seen.");
    way.error = seen.error();
    return {way};
  }
  way.rule =
      *seen == 0
          ? worded("resume", "The epoch is rebuilt from its seed for the new ranks.")
          : filled(worded("resume", "The epoch is rebuilt from its seed for the new ranks, without %1 already seen."),
                   wordedCount(*seen, "sample"));
  way.goes_on = Continuation{loaded(stopped, point, *seen), point.epoch, 0, false, loaded(stopped, point, 0)};
  const PipelineSpec resumed = resumedSpec(stopped, point);
  if (resumed.worldSize() != stopped.worldSize() || resumed.loader.batch_size != stopped.loader.batch_size) {
    way.notes.push_back({Severity::Info, filled(worded("resume",
                                                       "Its batches stay the same only if batch_size times the number "
                                                       "of ranks stays the same: here it is %1 before and %2 after."),
                                                std::to_string(stopped.loader.batch_size * stopped.worldSize()),
                                                std::to_string(resumed.loader.batch_size * resumed.worldSize()))});
  }
  return {way};
}

}  // namespace shardlens::resumes
