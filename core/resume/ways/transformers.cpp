// SPDX-License-Identifier: Apache-2.0
// Hugging Face Trainer (transformers 4.5x, trainer.py, _inner_training_loop): the epoch and the batches to skip follow
// from the count of all steps and from what the new loader calls an epoch.
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/resume/ways/ways.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {
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
