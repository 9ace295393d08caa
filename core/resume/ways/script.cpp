// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/sampling/script_seed.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

std::string epochText(Epoch epoch) {
  return std::to_string(epoch.value);
}

/// What a script does so that the loader gives the order of the interrupted epoch again.
std::string reaching(EpochOrder order, Epoch epoch, const std::string& skipped) {
  if (order == EpochOrder::ByNumber)
    return filled(worded("resume", "set_epoch(%1), then each rank skips %2"), epochText(epoch), skipped);
  if (order == EpochOrder::ByStream)
    return filled(worded("resume", "It draws the earlier epochs again, then each rank skips %1"), skipped);
  if (order == EpochOrder::BySeed)
    return filled(worded("resume", "It seeds with the number of epoch %1, then each rank skips %2"), epochText(epoch),
                  skipped);
  if (order == EpochOrder::InState) {
    return filled(worded("resume", "The sampler is brought back to epoch %1, then each rank skips %2"),
                  epochText(epoch), skipped);
  }
  return filled(worded("resume", "Each rank skips %1"), skipped);
}

ResumeWay scriptSkippingBatches(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order,
                                const Result<bool>& changes) {
  ResumeWay way =
      makeWay(stopped, "skip-batches", worded("resume", "Script that skips its batches"),
              reaching(order, point.epoch,
                       point.steps == 0   ? worded("resume", "no step.")
                       : point.steps == 1 ? worded("resume", "its first step.")
                                          : filled(worded("resume", "its first %1."), stepsText(point.steps))));
  if (!changes) return failing(std::move(way), changes.error());
  way = skipping(std::move(way), point, point.epoch, point.steps);
  if (*changes && point.steps > 0) {
    way.notes.push_back(
        {Severity::Warning,
         point.batch_size
             ? worded("resume", "A step has a different number of samples after the restart: count samples, not steps.")
             : worded("resume",
                      "A step has a different number of samples on a different number of ranks: count samples, not "
                      "steps.")});
  }
  return way;
}

ResumeWay scriptSkippingSamples(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order,
                                const Work& work) {
  const auto equal = equalSteps(stopped, point, work);
  const std::string skipped =
      point.steps == 0 ? worded("resume", "no step.")
      : !equal         ? worded("resume", "as many samples as before the stop.")
               : filled(worded("resume", "%1: %2"), stepsText(equal->steps), equalStepsText(stopped, point, *equal));
  ResumeWay way = makeWay(stopped, "skip-samples",
                          point.batch_size ? worded("resume", "Script that counts the samples of all ranks")
                                           : worded("resume", "Script that counts the batches of all ranks"),
                          reaching(order, point.epoch, skipped));
  if (!equal) return failing(std::move(way), equal.error());
  way = skipping(std::move(way), point, point.epoch, equal->steps);
  if (equal->left > 0) {
    way.notes.push_back(
        {Severity::Info,
         point.batch_size
             ? worded("resume",
                      "The samples before the stop are not a whole number of steps after it: those left over are not "
                      "skipped.")
             : worded("resume",
                      "The batches before the stop are not a whole number of steps on the new ranks: those left over "
                      "are not skipped.")});
  }
  return way;
}

ResumeWay restartEpoch(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way =
      makeWay(stopped, "restart-epoch", worded("resume", "Script that starts the epoch again"),
              worded("resume", "The checkpoint holds the epoch but no step: the epoch is read from its beginning."));
  return skipping(std::move(way), point, point.epoch, 0);
}

ResumeWay forgottenEpoch(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order) {
  const bool by_number = order == EpochOrder::ByNumber;
  ResumeWay way = makeWay(
      stopped, by_number ? "forgotten-set-epoch" : "seeded-again",
      by_number ? worded("resume", "Script that forgets set_epoch") : worded("resume", "Script that seeds again"),
      by_number ? worded("resume", "set_epoch is not called, so the steps are skipped in the order of epoch 0.")
                : worded("resume",
                         "The generator starts again from the script's seed, so the steps are skipped in the order of "
                         "epoch 0."));
  way.notes.push_back(
      {Severity::Error,
       by_number ? worded("resume", "It trains in the order of epoch 0 again, in this epoch and in every later one.")
                 : worded("resume", "It trains in the order of epoch 0 again, then in that of epoch 1, and so on.")});
  return skipping(std::move(way), point, Epoch{0}, point.steps);
}

/// DataLoader.__iter__ draws the epoch's seeds at its beginning, so a state saved later lies behind them (torch 2.6,
/// torch/utils/data/dataloader.py and sampler.py).
ResumeWay restoredState(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(stopped, "restored-rng", worded("resume", "Script that restores torch's RNG state"),
                          worded("resume",
                                 "A state saved within the epoch comes after that epoch's draws: the loader draws the "
                                 "next epoch's order and skips its first steps."));
  way.notes.push_back(
      {Severity::Error,
       worded("resume", "It skips by one order and trains by another; save the state before the epoch.")});
  if (sampling::seedsEachEpoch(stopped)) {
    way.error = Error{ErrorCode::Unsupported,
                      worded("resume",
                             "The state continues the stream of the interrupted epoch's seed, after its order was "
                             "drawn: ShardLens does not compute what follows."),
                      {},
                      worded("resume", "seed with the epoch's number instead, and skip to the step")};
    return way;
  }
  if (stopped.loader.persistent_workers && stopped.loader.num_workers > 0) {
    way.error = Error{ErrorCode::Unsupported,
                      worded("resume",
                             "The new loader draws a base_seed that the old one with persistent workers would not "
                             "draw: ShardLens does not compute what follows."),
                      {},
                      worded("resume", "save the epoch and the step instead, and skip to them")};
    return way;
  }
  return skipping(std::move(way), point, Epoch{point.epoch.value + 1}, point.steps);
}

/// What any loop over a loader can do that is at the epoch again.
std::vector<ResumeWay> loopWays(const PipelineSpec& stopped, const ResumePoint& point, EpochOrder order,
                                const Work& work) {
  const auto changes = changesSteps(stopped, point, work);
  std::vector<ResumeWay> ways = {scriptSkippingBatches(stopped, point, order, changes)};
  if (!changes) ways.push_back(failing(scriptSkippingSamples(stopped, point, order, work), changes.error()));
  if (changes && *changes) ways.push_back(scriptSkippingSamples(stopped, point, order, work));
  ways.push_back(restartEpoch(stopped, point));
  return ways;
}

}  // namespace

std::vector<ResumeWay> script(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const EpochOrder order = epochOrderOf(stopped, point.epoch);
  std::vector<ResumeWay> ways = loopWays(stopped, point, order, work);
  if (order != EpochOrder::Same && order != EpochOrder::BySeed) ways.push_back(forgottenEpoch(stopped, point, order));
  if (followsGlobalStream(stopped) && point.steps > 0) ways.push_back(restoredState(stopped, point));
  return ways;
}

std::vector<ResumeWay> asBefore(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  std::vector<ResumeWay> ways = loopWays(stopped, point, EpochOrder::InState, work);
  for (ResumeWay& way : ways) {
    way.notes.push_back(
        {Severity::Info, filled(worded("resume",
                                       "ShardLens does not know what %1 saves and restores by itself: this holds if "
                                       "its sampler is restored to the beginning of the epoch."),
                                std::string(sampling::frameworkTitle(sampling::frameworkOf(stopped.sampler.type))))});
  }
  return ways;
}

std::vector<ResumeWay> recorded(const PipelineSpec& stopped, const ResumePoint& /*point*/, const Work& /*work*/) {
  return {failing(
      makeWay(stopped, "recorded", worded("resume", "The recorded job, started again"),
              worded("resume", "Its sampler continues as it would after such a stop.")),
      Error{ErrorCode::Unsupported,
            worded("resume", "Not predictable: a recording says what was read, not how the sampler would continue."),
            {},
            worded("resume", "record the job after a restart, or name the sampler's rule in sampler.type")})};
}

}  // namespace shardlens::resumes
