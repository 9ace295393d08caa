// SPDX-License-Identifier: Apache-2.0
// timm aa4b585 (train.py): a checkpoint names the epoch that was done; the next one begins from its beginning.
#include "core/plan/resumes/resumes.h"

namespace shardlens::resumes {

std::vector<ResumeWay> timm(const PipelineSpec& stopped, const ResumePoint& point) {
  return {skipping(makeWay(stopped, "timm", "timm train.py: --resume",
                           "It counts whole epochs: the interrupted one begins again, in its own order."),
                   point, point.epoch, 0)};
}

}  // namespace shardlens::resumes
