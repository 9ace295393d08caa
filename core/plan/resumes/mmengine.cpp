// SPDX-License-Identifier: Apache-2.0
// mmengine 2543429 (runner/loops.py): EpochBasedTrainLoop resumes at the beginning of an epoch, IterBasedTrainLoop
// draws the batches before the checkpoint again.
#include "core/plan/resumes/resumes.h"

#include <utility>

namespace shardlens::resumes {
namespace {

ResumeWay epochBased(const PipelineSpec& stopped, const ResumePoint& point) {
  return skipping(makeWay(stopped, "mmengine", "mmengine: EpochBasedTrainLoop",
                          "It counts whole epochs: the interrupted one begins again, in its own order."),
                  point, point.epoch, 0);
}

/// The stream has no epochs: a step is the same place of it on every pass.
ResumeWay iterationBased(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(stopped, "mmengine", "mmengine: IterBasedTrainLoop",
                          "It draws as many batches as it had trained on, and trains on the next ones.");
  way = skipping(std::move(way), point, point.epoch, point.steps);
  way.goes_on->counts_on = true;
  if (point.world != stopped.world) {
    way.notes.push_back(
        {Severity::Warning, "Another number of ranks draws another number of samples in those batches."});
  }
  return way;
}

}  // namespace

std::vector<ResumeWay> mmengine(const PipelineSpec& stopped, const ResumePoint& point) {
  const bool endless = stopped.sampler.type == "mmengine.InfiniteSampler";
  return {endless ? iterationBased(stopped, point) : epochBased(stopped, point)};
}

}  // namespace shardlens::resumes
