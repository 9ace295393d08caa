// SPDX-License-Identifier: Apache-2.0
#include "core/plan/resumes/resumes.h"

#include <string>
#include <utility>

namespace shardlens::resumes {

/// Lightning 2.1 to 2.6 (loops/fit_loop.py, loops/fetchers.py): with an ordinary DataLoader the number of batches done
/// is restored and the loader is not. Worker processes draw their order before set_epoch() reaches the sampler.
std::vector<ResumeWay> lightning(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(stopped, "lightning", "Lightning: fit(ckpt_path=...)",
                          "The loader begins again while the count of batches goes on: the epoch ends " +
                              stepsText(point.steps) + " early, and its end is never read.");
  const bool told_late = stopped.loader.num_workers > 0 && epochOrderOf(stopped, point.epoch) == EpochOrder::ByNumber;
  way = skipping(std::move(way), point, told_late ? Epoch{0} : point.epoch, 0);
  way.goes_on->counts_on = true;
  if (told_late) {
    way.notes.push_back({Severity::Error, "Since 2.1 a loader with workers draws its order before set_epoch(" +
                                              std::to_string(point.epoch.value) + ") is called: it reads epoch 0's."});
  }
  if (point.steps > 0) {
    way.notes.push_back({Severity::Info,
                         "It warns that the dataloader is not resumable. Save checkpoints at the end of an epoch, or "
                         "give it a StatefulDataLoader."});
  }
  return {way};
}

}  // namespace shardlens::resumes
