// SPDX-License-Identifier: Apache-2.0
// MosaicML Streaming 89e7bb9 (dataset.py, state_dict and _resume): a state holds the epoch, the samples that all ranks
// saw of it, the nodes of the first run and the canonical nodes that follow from them.
#include "core/plan/resumes/resumes.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

std::int64_t seenIn(const PipelineSpec& stopped, const ResumePoint& point) {
  return point.steps * stopped.loader.batch_size * stopped.worldSize();
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

std::vector<ResumeWay> streaming(const PipelineSpec& stopped, const ResumePoint& point) {
  const std::int64_t seen = seenIn(stopped, point);
  ResumeWay way = makeWay(stopped, "streaming", "Streaming: load_state_dict",
                          "The epoch is made anew from its seed for the new ranks, without the first " +
                              std::to_string(seen) + " samples that all of them saw.");
  way.goes_on = Continuation{loaded(stopped, point, seen), point.epoch, 0, false, loaded(stopped, point, 0)};
  if (resumedSpec(stopped, point).worldSize() != stopped.worldSize()) {
    way.notes.push_back(
        {Severity::Info, "Its batches stay what they were only while batch_size times the ranks does: here " +
                             std::to_string(stopped.loader.batch_size * stopped.worldSize()) + " before and " +
                             std::to_string(stopped.loader.batch_size * resumedSpec(stopped, point).worldSize()) +
                             " after."});
  }
  return {way};
}

}  // namespace shardlens::resumes
