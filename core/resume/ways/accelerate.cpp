// SPDX-License-Identifier: Apache-2.0
// Accelerate 16cb6eb (checkpointing.py, data_loader.py): save_state() keeps neither epoch nor order of a map-style
// dataset, so the script says set_epoch() and skip_first_batches() itself.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

const std::string kShard = "accelerate.BatchSamplerShard";

bool isOn(const PipelineSpec& spec, const std::string& key) {
  const SamplerInfo* info = findSampler(sampling::catalogue(), spec.sampler.type);
  const Field* field = findField(spec, sampling::catalogue(), "sampler." + key);
  return info != nullptr && field != nullptr && getValue(spec, *field) == Value(true);
}

/// Batches of rank 0's loader in a step: a dispatcher over a map-style dataset skips those, and not steps.
std::int64_t batchesOfStep(const PipelineSpec& stopped, const ResumePoint& point) {
  const bool dispatches = stopped.sampler.type == "accelerate.DataLoaderDispatcher" && isOn(stopped, "shuffle");
  return dispatches && !isOn(stopped, "split_batches") ? resumedSpec(stopped, point).worldSize() : 1;
}

std::string call(const PipelineSpec& stopped, const ResumePoint& point, std::int64_t steps) {
  return "skip_first_batches(loader, " + std::to_string(steps * batchesOfStep(stopped, point)) + ")";
}

/// What the epoch's order costs to come by after a restart.
std::string reaching(const PipelineSpec& stopped, EpochOrder order, const ResumePoint& point, const std::string& then) {
  if (order == EpochOrder::Same || point.epoch == Epoch{0}) return then;
  const std::string number = std::to_string(point.epoch.value);
  if (order == EpochOrder::BySeed)
    return filled(worded("resume", "It seeds with the number of epoch %1, then %2"), number, then);
  return isOn(stopped, "use_seedable_sampler")
             ? filled(worded("resume", "set_epoch(%1), then %2"), number, then)
             : filled(worded("resume", "It iterates over the epochs before %1, then %2"), number, then);
}

ResumeWay skipFirstBatches(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order,
                           const Result<bool>& changes) {
  ResumeWay way =
      makeWay(stopped, "accelerate-skip", "Accelerate: skip_first_batches",
              reaching(stopped, order, point, filled(worded("resume", "%1."), call(stopped, point, point.steps))));
  if (!changes) return failing(std::move(way), changes.error());
  way = skipping(std::move(way), point, point.epoch, point.steps);
  if (isOn(stopped, "use_seedable_sampler")) {
    way.notes.push_back({Severity::Warning, worded("resume",
                                                   "The original loader counts its epochs itself: without set_epoch "
                                                   "the next epoch has this one's order again (accelerate PR 4233).")});
  }
  if (batchesOfStep(stopped, point) > 1 && point.steps > 0) {
    way.notes.push_back(
        {Severity::Warning,
         filled(worded("resume",
                       "Rank 0's loader skips its own batches, and a step takes one of them for each process: "
                       "skip_first_batches(loader, %1) skips %2, not %3."),
                std::to_string(point.steps), batchesText(point.steps), stepsText(point.steps))});
  }
  return way;
}

ResumeWay skipEqualBatches(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order, const Work& work) {
  const auto equal = equalSteps(stopped, point, work);
  const std::string skipped = equal ? filled(worded("resume", "%1: %2"), call(stopped, point, equal->steps),
                                             equalStepsText(stopped, point, *equal))
                                    : worded("resume", "as many samples as before the stop.");
  ResumeWay way = makeWay(stopped, "accelerate-skip-samples",
                          point.batch_size ? worded("resume", "Accelerate: count the samples of all ranks")
                                           : worded("resume", "Accelerate: count the batches of all ranks"),
                          reaching(stopped, order, point, skipped));
  if (!equal) return failing(std::move(way), equal.error());
  return skipping(std::move(way), point, point.epoch, equal->steps);
}

ResumeWay wrongEpoch(const PipelineSpec& stopped, const ResumePoint& point) {
  const bool seedable = isOn(stopped, "use_seedable_sampler");
  ResumeWay way = makeWay(stopped, "accelerate-epoch-0", worded("resume", "Accelerate: restarted without the epoch"),
                          filled(seedable ? worded("resume",
                                                   "Without set_epoch, and in Accelerate 1.7 to 1.14 even with it, the "
                                                   "new loader counts from 0: %1 skips in the order of epoch 0.")
                                          : worded("resume",
                                                   "The generator is seeded again, so the new loader starts with its "
                                                   "first order: %1 skips in the order of epoch 0."),
                                 call(stopped, point, point.steps)));
  way.notes.push_back(
      {Severity::Error,
       worded("resume", "The skipped samples belong to another permutation (accelerate#2016, PR 4071).")});
  return skipping(std::move(way), point, Epoch{0}, point.steps);
}

}  // namespace

std::vector<ResumeWay> accelerate(const PipelineSpec& stopped, const ResumePoint& stop, const Work& work) {
  // What the loader had skipped already, in the epoch with which it began, is skipped again.
  ResumePoint point = stop;
  if (stop.epoch == Epoch{0}) point.steps += numberGiven(stopped, "skip_first_batches", 0);
  const EpochOrder order = epochOrderOf(stopped, point.epoch);
  const auto changes = changesSteps(stopped, point, work);
  std::vector<ResumeWay> ways = {skipFirstBatches(stopped, point, order, changes)};
  if (!changes) ways.push_back(failing(skipEqualBatches(stopped, point, order, work), changes.error()));
  if (changes && *changes) ways.push_back(skipEqualBatches(stopped, point, order, work));
  if (stopped.sampler.type == kShard && order != EpochOrder::Same && order != EpochOrder::BySeed)
    ways.push_back(wrongEpoch(stopped, point));
  for (ResumeWay& way : ways) {
    if (way.goes_on) way.goes_on->spec = withoutState(way.goes_on->spec);  // a new loader skips what it is told now
  }
  return ways;
}

}  // namespace shardlens::resumes
