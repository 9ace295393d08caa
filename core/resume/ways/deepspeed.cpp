// SPDX-License-Identifier: Apache-2.0
// DeepSpeed edaa722 (runtime/engine.py, runtime/dataloader.py): without curriculum learning a checkpoint holds nothing
// of the loader.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

namespace shardlens::resumes {

std::vector<ResumeWay> deepSpeed(const PipelineSpec& stopped, const ResumePoint& point, const Work& /*work*/) {
  return {skipping(
      makeWay(
          stopped, "deepspeed", "DeepSpeed: load_checkpoint",
          worded("resume",
                 "The state of the loader is not saved, and set_epoch is never called: the only order starts again.")),
      point, point.epoch, 0)};
}

}  // namespace shardlens::resumes
