// SPDX-License-Identifier: Apache-2.0
// Hugging Face Trainer (transformers 4.5x, trainer.py, _inner_training_loop): the epoch and the batches to skip follow
// from the count of all steps and from what the new loader calls an epoch.
#include "core/plan/resumes/resumes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {
namespace {

/// Where the new loader's arithmetic arrives.
struct Landing {
  Epoch epoch;
  std::int64_t skip = 0;
};

Landing landing(const PipelineSpec& stopped, const ResumePoint& point) {
  const std::int64_t length = std::max<std::int64_t>(1, stepsOf(resumedSpec(stopped, point), Epoch{0}));
  const std::int64_t done = point.epoch.value * stepsOf(stopped, Epoch{0}) + point.steps;
  return {Epoch{done / length}, done % length};
}

std::string placeText(const Landing& landing) {
  return stepsText(landing.skip) + " of epoch " + std::to_string(landing.epoch.value);
}

ResumeWay skipBatches(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place) {
  ResumeWay way = makeWay(
      stopped, "transformers", "Trainer: resume_from_checkpoint",
      "It divides the steps done by the new loader's length, and passes over " + placeText(place) + " on each rank.");
  if (place.epoch != point.epoch) {
    way.notes.push_back({Severity::Error, "The length of an epoch changed with the ranks: it goes on in epoch " +
                                              std::to_string(place.epoch.value) + " instead of " +
                                              std::to_string(point.epoch.value) + "."});
  }
  return skipping(std::move(way), point, place.epoch, place.skip);
}

/// Accelerate 1.7.0 to 1.14.0 give the loader that skips an epoch counter of its own (transformers PR 40691,
/// accelerate PR 4071).
ResumeWay skipInFirstOrder(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place) {
  ResumeWay way = makeWay(stopped, "transformers-older", "Trainer 4.x with Accelerate 1.7 to 1.14",
                          "The loader that skips counts its epochs anew: it passes over " + stepsText(place.skip) +
                              " of epoch 0's order, and trains on the rest of it.");
  way.notes.push_back(
      {Severity::Error, "It goes on in another order than it stopped in (transformers#40690, PR 40691)."});
  return skipping(std::move(way), point, Epoch{0}, place.skip);
}

ResumeWay ignoreSkip(const PipelineSpec& stopped, const ResumePoint& point, const Landing& place) {
  return skipping(makeWay(stopped, "transformers-ignore-skip", "Trainer: ignore_data_skip=True",
                          "It passes over nothing: epoch " + std::to_string(place.epoch.value) + " begins again."),
                  point, place.epoch, 0);
}

}  // namespace

std::vector<ResumeWay> transformers(const PipelineSpec& stopped, const ResumePoint& point) {
  const Landing place = landing(stopped, point);
  std::vector<ResumeWay> ways = {skipBatches(stopped, point, place)};
  const bool moves = place.skip > 0 && epochOrderOf(stopped, place.epoch) == EpochOrder::ByNumber;
  if (moves) ways.push_back(skipInFirstOrder(stopped, point, place));
  ways.push_back(ignoreSkip(stopped, point, place));
  return ways;
}

}  // namespace shardlens::resumes
