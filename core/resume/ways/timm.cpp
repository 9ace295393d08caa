// SPDX-License-Identifier: Apache-2.0
// timm aa4b585 (train.py, utils/checkpoint_saver.py, models/_helpers.py): a checkpoint names its epoch and no step, and
// resuming begins with the next one.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <string>

namespace shardlens::resumes {
namespace {

ResumeWay recovery(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  return reachingEnd(makeWay(stopped, "timm", worded("resume", "timm: --resume of a recovery checkpoint"),
                             worded("resume", "It takes the interrupted epoch as done and starts the next one.")),
                     point, work);
}

ResumeWay startEpoch(const PipelineSpec& stopped, const ResumePoint& point) {
  return skipping(
      makeWay(stopped, "timm-start-epoch",
              filled(worded("resume", "timm: --resume with --start-epoch %1"), std::to_string(point.epoch.value)),
              worded("resume", "The interrupted epoch starts again, in its own order.")),
      point, point.epoch, 0);
}

}  // namespace

std::vector<ResumeWay> timm(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  return {recovery(stopped, point, work), startEpoch(stopped, point)};
}

}  // namespace shardlens::resumes
