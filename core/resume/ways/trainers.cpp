// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {

// Accelerate 16cb6eb (checkpointing.py, data_loader.py): save_state() keeps neither epoch nor order of a map-style
// dataset, so the script says set_epoch() and skip_first_batches() itself.

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

// Lightning 2.5 to 2.6.5 (loops/fit_loop.py, loops/training_epoch_loop.py, loops/fetchers.py).

namespace {

std::string ruleOf(const ResumePoint& point, bool past_end) {
  if (point.steps == 0) return worded("resume", "The loader and the batch counter start at the beginning.");
  if (past_end)
    return worded("resume", "The batch counter is beyond the end of the shorter epoch, so the epoch starts again.");
  return filled(worded("resume",
                       "The loader starts again while the batch counter continues: the epoch ends %1 early, and its "
                       "last batches are never read."),
                stepsText(point.steps));
}

/// Since 2.1 the loader's iterator is made before set_epoch(); workers draw their order at once (lightning#21938). What
/// follows torch's global stream is not restored at all.
Note firstOrder(const ResumePoint& point, EpochOrder order) {
  const std::string number = std::to_string(point.epoch.value);
  if (order == EpochOrder::ByStream) {
    return {
        Severity::Error,
        worded("resume", "The checkpoint holds no random states: seeded as at the start, it reads epoch 0's order.")};
  }
  return {Severity::Error, filled(worded("resume",
                                         "Since 2.1, a loader with workers draws its order before set_epoch(%1) is "
                                         "called: it reads epoch 0's (lightning#21938)."),
                                  number)};
}

/// An error where overfit_batches ends the epoch of either run before its loader does.
Result<void> checkEnd(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const std::int64_t read = lenses::batchesRead(stopped);
  if (read == 0) return {};
  for (const PipelineSpec& spec : {stopped, resumedSpec(stopped, point)}) {
    const auto steps = stepsOf(spec, point.epoch, work);
    if (!steps) return steps.error();
    if (read < *steps) {
      return Error{
          ErrorCode::Unsupported,
          filled(worded("resume", "overfit_batches ends its epoch after %1: ShardLens does not compute what follows."),
                 batchesText(read)),
          {},
          worded("resume", "leave overfit_batches out")};
    }
  }
  return {};
}

}  // namespace

std::vector<ResumeWay> lightning(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const char* const title = "Lightning: fit(ckpt_path=...)";
  if (auto end = checkEnd(stopped, point, work); !end)
    return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), end.error())};
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), at_end.error())};
  if (*at_end && point.steps > 0) {
    return {
        reachingEnd(makeWay(stopped, "lightning", title,
                            isLast(stopped, point)
                                ? worded("resume", "The epoch's last batch is marked as done: no epoch is left.")
                                : worded("resume", "The epoch's last batch is marked as done: the next epoch starts.")),
                    point, work)};
  }
  const auto steps = stepsOf(resumedSpec(stopped, point), point.epoch, work);
  if (!steps) return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)), steps.error())};
  const EpochOrder order = epochOrderOf(stopped, point.epoch);
  const bool is_wrapped = stopped.sampler.type.ends_with("DistributedSamplerWrapper") && followsGlobalStream(stopped);
  if (is_wrapped && stopped.loader.num_workers == 0 && point.epoch.value > 0) {
    return {failing(makeWay(stopped, "lightning", title, ruleOf(point, false)),
                    Error{ErrorCode::Unsupported,
                          worded("resume",
                                 "The inner sampler draws its first pass again, and the wrapper deals it in the order "
                                 "of this epoch: ShardLens does not compute what follows."),
                          {},
                          worded("resume", "save checkpoints at the end of an epoch")})};
  }
  const bool first_order =
      order == EpochOrder::ByStream || (order == EpochOrder::ByNumber && stopped.loader.num_workers > 0);
  // The counts are then set back (2.5).
  const bool past_end = point.steps > 0 && point.steps >= *steps;
  ResumeWay way = makeWay(stopped, "lightning", title, ruleOf(point, past_end));
  way = skipping(std::move(way), point, first_order ? Epoch{0} : point.epoch, 0);
  way.goes_on->counts_on = !past_end;
  if (first_order) way.notes.push_back(firstOrder(point, order));
  if (point.steps > 0) {
    way.notes.push_back({Severity::Info, worded("resume",
                                                "Save checkpoints at the end of an epoch, or use a StatefulDataLoader, "
                                                "which is exact since 2.2 on the same number of ranks.")});
  }
  return {way};
}

// Hugging Face Trainer (transformers 4.5x, trainer.py, _inner_training_loop): the epoch and the batches to skip follow
// from the count of all steps and from what the new loader calls an epoch.

namespace {

/// Where the new loader's arithmetic arrives.
struct Landing {
  std::int64_t done = 0;  ///< steps of all epochs
  Epoch epoch;
  std::int64_t skip = 0;
  bool was_at_end = false;  ///< the interrupted epoch had been trained on to its end
};

Result<Landing> landing(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto resumed = stepsOf(resumedSpec(stopped, point), Epoch{0}, work);
  if (!resumed) return resumed.error();
  const auto before = stepsOf(stopped, Epoch{0}, work);
  if (!before) return before.error();
  const auto at_end = isAtEnd(stopped, point, work);
  if (!at_end) return at_end.error();
  const std::int64_t length = std::max<std::int64_t>(1, *resumed);
  const std::int64_t done = point.epoch.value * *before + point.steps;
  return Landing{done, Epoch{done / length}, done % length, *at_end};
}

/// for epoch in range(epochs_trained, num_train_epochs)
bool endsTraining(const PipelineSpec& stopped, const Landing& place) {
  return place.epoch.value >= stopped.epochs;
}

/// Whether the interrupted epoch is over for the Trainer, as it is in truth.
bool isFinished(const ResumePoint& point, const Landing& place) {
  return place.was_at_end && place.skip == 0 && place.epoch.value == point.epoch.value + 1;
}

Note noteOfOtherEpoch(const ResumePoint& point, const Landing& place, bool ends) {
  if (ends) {
    return {Severity::Error,
            worded("resume", "The length of an epoch changed: it considers training finished, and stops.")};
  }
  return {Severity::Error,
          filled(worded("resume", "The length of an epoch changed: it continues in epoch %1 instead of %2."),
                 std::to_string(place.epoch.value), std::to_string(point.epoch.value))};
}

/// Without a length an epoch is max_steps long.
Note noteOfLength(const Landing& place) {
  return {Severity::Warning,
          filled(worded("resume",
                        "This holds for a dataset with a __len__. Without one, max_steps is a single long epoch: it "
                        "skips %1 from the beginning, and ends training where the stream ends."),
                 stepsText(place.done))};
}

std::string ruleOfTrainer(const Landing& place, bool ends, bool finished) {
  const std::string epoch = std::to_string(place.epoch.value);
  if (ends) return worded("resume", "It divides the steps done by the new loader's length, and has no epoch left.");
  if (finished)
    return filled(worded("resume", "It divides the steps done by the new loader's length, and starts epoch %1."),
                  epoch);
  return filled(
      worded("resume", "It divides the steps done by the new loader's length, and skips %1 of epoch %2 on each rank."),
      stepsText(place.skip), epoch);
}

constexpr const char* kTitle = "Trainer: resume_from_checkpoint";

ResumeWay resume(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place, const Work& work) {
  const bool ends = endsTraining(stopped, place);
  const bool finished = isFinished(point, place);

  ResumeWay way = makeWay(stopped, "transformers", kTitle, ruleOfTrainer(place, ends, finished));
  const bool is_over = ends && place.was_at_end && isLast(stopped, point);
  if (place.epoch != point.epoch && !finished && !is_over) way.notes.push_back(noteOfOtherEpoch(point, place, ends));
  if (lenses::isStream(stopped.sampler.type)) way.notes.push_back(noteOfLength(place));
  if (ends || finished) return reachingEnd(std::move(way), point, work);
  return skipping(std::move(way), point, place.epoch, place.skip);
}

/// Accelerate 1.7.0 to 1.14.0 give the loader that skips an epoch counter of its own (transformers PR 40691,
/// accelerate PR 4071).
ResumeWay skipInFirstOrder(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place) {
  ResumeWay way = makeWay(stopped, "transformers-older", worded("resume", "Trainer 4.x with Accelerate 1.7 to 1.14"),
                          filled(worded("resume",
                                        "The loader that skips counts its epochs from 0: it skips %1 of epoch 0's "
                                        "order, and trains on the rest."),
                                 stepsText(place.skip)));
  if (place.epoch != point.epoch) way.notes.push_back(noteOfOtherEpoch(point, place, false));
  if (point.epoch > Epoch{0})
    way.notes.push_back(
        {Severity::Error,
         worded("resume", "It continues in a different order than it stopped in (transformers#40690, PR 40691).")});
  return skipping(std::move(way), point, Epoch{0}, place.skip);
}

ResumeWay ignoreSkip(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place, const Work& work) {
  ResumeWay way = makeWay(
      stopped, "transformers-ignore-skip", "Trainer: ignore_data_skip=True",
      filled(place.epoch == point.epoch ? worded("resume", "It skips nothing: epoch %1 starts again.")
                                        : worded("resume", "It skips nothing: it starts epoch %1 from its beginning."),
             std::to_string(place.epoch.value)));
  const bool starts_next = place.was_at_end && place.epoch.value == point.epoch.value + 1;
  if (starts_next) return reachingEnd(std::move(way), point, work);
  if (place.epoch != point.epoch) way.notes.push_back(noteOfOtherEpoch(point, place, false));
  return skipping(std::move(way), point, place.epoch, 0);
}

/// From PR 27568 to PR 43770 (December 2023 to February 2026) a checkpoint holds train_batch_size, and the Trainer
/// takes that one.
std::vector<ResumeWay> savedBatchSize(const PipelineSpec& stopped, ResumePoint point, const Work& work) {
  if (!point.batch_size) return {};
  point.batch_size.reset();
  const auto place = landing(stopped, point, work);
  ResumeWay way = place ? resume(stopped, point, *place, work) : failing(makeWay(stopped, "", "", ""), place.error());
  way.id = "transformers-saved-batch";
  way.title = worded("resume", "Trainer of 2024 and 2025: resume_from_checkpoint");
  way.rule = filled(worded("resume", "It keeps the checkpoint's batch_size, %1, whatever it is given. %2"),
                    std::to_string(stopped.loader.batch_size), way.rule);
  way.notes.push_back(
      {Severity::Warning, worded("resume", "The new batch_size is silently ignored (transformers#43708, PR 43770).")});
  return {way};
}

}  // namespace

std::vector<ResumeWay> transformers(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto place = landing(stopped, point, work);
  if (!place) {
    return {failing(makeWay(stopped, "transformers", kTitle,
                            worded("resume", "It divides the steps done by the new loader's length.")),
                    place.error())};
  }
  std::vector<ResumeWay> ways = {resume(stopped, point, *place, work)};
  const auto saved = savedBatchSize(stopped, point, work);
  ways.insert(ways.end(), saved.begin(), saved.end());
  if (endsTraining(stopped, *place) || isFinished(point, *place)) return ways;
  const bool moves = place->skip > 0 && epochOrderOf(stopped, place->epoch) == EpochOrder::ByNumber;
  if (moves) ways.push_back(skipInFirstOrder(stopped, point, *place));
  ways.push_back(ignoreSkip(stopped, point, *place, work));
  return ways;
}

}  // namespace shardlens::resumes
