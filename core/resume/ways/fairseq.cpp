// SPDX-License-Identifier: Apache-2.0
// fairseq 3d262bb (data/iterators.py, EpochBatchIterator): a checkpoint holds the epoch and how many batches a rank
// had, and each rank's new list of batches goes on behind so many.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <utility>

namespace shardlens::resumes {
std::vector<ResumeWay> fairseq(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way =
      makeWay(stopped, "fairseq", "fairseq: iterations_in_epoch",
              point.steps == 1 ? worded("resume", "Each rank skips the first step of its new list of batches.")
                               : filled(worded("resume", "Each rank skips the first %1 of its new list of batches."),
                                        stepsText(point.steps)));
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return {failing(std::move(way), at_end.error())};
  if (*at_end) {
    way.rule = worded("resume", "The epoch is complete: the checkpoint continues with the start of the next one.");
    return {reachingEnd(std::move(way), point, work)};
  }
  const auto steps = stepsOf(resumedSpec(stopped, point), point.epoch, work);
  if (!steps) return {failing(std::move(way), steps.error())};
  if (point.steps > 0 && point.steps >= *steps) {
    way.error = sampling::raised("RuntimeError",
                                 "Cannot resume training due to dataloader mismatch, please report this to the fairseq "
                                 "developers. You can relaunch training with `--reset-dataloader` and it should work.");
    return {way};
  }
  return {skipping(std::move(way), point, point.epoch, point.steps)};
}

}  // namespace shardlens::resumes
