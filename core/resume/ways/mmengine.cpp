// SPDX-License-Identifier: Apache-2.0
// mmengine 2543429 (runner/loops.py, runner/runner.py). A checkpoint inside an epoch comes from a CheckpointHook that
// counts iterations.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <algorithm>
#include <utility>

namespace shardlens::resumes {
namespace {

ResumeWay epochBased(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way =
      makeWay(stopped, "mmengine", "mmengine: EpochBasedTrainLoop",
              worded("resume", "It reads the interrupted epoch from its beginning, in that epoch's order."));
  way.notes.push_back({Severity::Info, worded("resume", "The iteration count is ahead by the repeated part.")});
  return skipping(std::move(way), point, point.epoch, 0);
}

/// The stream has no epochs: what the iterations of all epochs took of it is passed over.
ResumeWay advanced(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way = makeWay(
      stopped, "mmengine", worded("resume", "mmengine 0.10.3 and later: IterBasedTrainLoop"),
      worded("resume", "It loads and discards the batches that it had trained on, and trains on the next ones."));
  const auto resumed = stepsOf(resumedSpec(stopped, point), Epoch{0}, work);
  if (!resumed) return failing(std::move(way), resumed.error());
  const auto before = stepsOf(stopped, Epoch{0}, work);
  if (!before) return failing(std::move(way), before.error());
  const std::int64_t length = std::max<std::int64_t>(1, *resumed);
  const std::int64_t done = point.epoch.value * *before + point.steps;
  const bool other = !isUnchanged(stopped, point);
  way =
      skipping(std::move(way), point, other ? Epoch{done / length} : point.epoch, other ? done % length : point.steps);
  way.goes_on->counts_on = !other;
  if (other) {
    way.notes.push_back(
        {Severity::Warning, filled(worded("resume",
                                          "Those %1 take a different number of samples now: it continues "
                                          "elsewhere in the stream."),
                                   stepsText(done))});
  }
  return way;
}

ResumeWay fromBeginning(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(
      stopped, "mmengine-older", worded("resume", "mmengine before 0.10.3: IterBasedTrainLoop"),
      worded("resume", "The iteration count continues, but the stream of samples starts again (mmengine PR 1471)."));
  way = skipping(std::move(way), point, Epoch{0}, 0);
  way.goes_on->counts_on = true;
  return way;
}

}  // namespace

std::vector<ResumeWay> mmengine(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  if (stopped.sampler.type != "mmengine.InfiniteSampler") return {epochBased(stopped, point)};
  return {advanced(stopped, point, work), fromBeginning(stopped, point)};
}

}  // namespace shardlens::resumes
