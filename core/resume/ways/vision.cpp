// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {

// detectron2 02b5c4e (engine/train_loop.py, engine/defaults.py, data/build.py): the trainer resumes its iteration, not
// its loader, and IMS_PER_BATCH counts the images of all ranks.

namespace {

/// The same total batch on the resumed run's ranks, unless it is given another one, and as many steps of it.
Result<PipelineSpec> sameTotal(const PipelineSpec& stopped, const ResumePoint& point) {
  PipelineSpec spec = resumedSpec(stopped, point);
  const std::int64_t total = stopped.loader.batch_size * stopped.worldSize();
  const std::int64_t ranks = spec.worldSize();
  if (!point.batch_size && total % ranks != 0) {
    return sampling::raised("AssertionError", "Total batch size (" + std::to_string(total) +
                                                  ") must be divisible by the number of gpus (" +
                                                  std::to_string(ranks) + ").");
  }
  spec.loader.batch_size = point.batch_size.value_or(total / ranks);
  const auto length = spec.sampler.parameters.find("samples_per_epoch");
  if (length == spec.sampler.parameters.end()) return spec;
  if (auto* samples = std::get_if<std::int64_t>(&length->second))
    *samples = *samples * spec.loader.batch_size / stopped.loader.batch_size;
  return spec;
}

}  // namespace

std::vector<ResumeWay> detectron2(const PipelineSpec& stopped, const ResumePoint& point, const Work& /*work*/) {
  if (stopped.sampler.type == "detectron2.InferenceSampler") return {};
  ResumeWay way =
      makeWay(stopped, "detectron2", "detectron2: resume_or_load",
              worded("resume", "The iteration count continues, but the stream of samples starts again from its seed."));
  way.notes.push_back(
      {Severity::Info, worded("resume",
                              "Up to 0.6, a config without SEED draws another stream at each start, which cannot be "
                              "predicted; later releases read the same stream in every run.")});
  const auto spec = sameTotal(stopped, point);
  if (!spec) {
    way.error = spec.error();
    return {way};
  }
  way.goes_on = Continuation{*spec, Epoch{0}, 0, true, {}};
  return {way};
}

// mmengine 2543429 (runner/loops.py, runner/runner.py). A checkpoint inside an epoch comes from a CheckpointHook that
// counts iterations.

namespace {

ResumeWay epochBased(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way =
      makeWay(stopped, "mmengine", "mmengine: EpochBasedTrainLoop",
              worded("resume", "It reads the interrupted epoch from its beginning, in that epoch's order."));
  way.notes.push_back({Severity::Info, worded("resume", "The iteration count is ahead by the repeated part.")});
  return skipping(std::move(way), point, point.epoch, 0);
}

/// The stream has no epochs: what the iterations of all epochs took of it is passed over.
ResumeWay advanced(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way = makeWay(
      stopped, "mmengine", worded("resume", "mmengine 0.10.3 and later: IterBasedTrainLoop"),
      worded("resume", "It loads and discards the batches that it had trained on, and trains on the next ones."));
  const auto resumed = stepsOf(resumedSpec(stopped, point), Epoch{0}, work);
  if (!resumed) return failing(std::move(way), resumed.error());
  const auto before = stepsOf(stopped, Epoch{0}, work);
  if (!before) return failing(std::move(way), before.error());
  const std::int64_t length = std::max<std::int64_t>(1, *resumed);
  const std::int64_t done = point.epoch.value * *before + point.steps;
  const bool other = !isUnchanged(stopped, point);
  way =
      skipping(std::move(way), point, other ? Epoch{done / length} : point.epoch, other ? done % length : point.steps);
  way.goes_on->counts_on = !other;
  if (other) {
    way.notes.push_back(
        {Severity::Warning, filled(worded("resume",
                                          "Those %1 take a different number of samples now: it continues "
                                          "elsewhere in the stream."),
                                   stepsText(done))});
  }
  return way;
}

ResumeWay fromBeginning(const PipelineSpec& stopped, const ResumePoint& point) {
  ResumeWay way = makeWay(
      stopped, "mmengine-older", worded("resume", "mmengine before 0.10.3: IterBasedTrainLoop"),
      worded("resume", "The iteration count continues, but the stream of samples starts again (mmengine PR 1471)."));
  way = skipping(std::move(way), point, Epoch{0}, 0);
  way.goes_on->counts_on = true;
  return way;
}

}  // namespace

std::vector<ResumeWay> mmengine(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  if (stopped.sampler.type != "mmengine.InfiniteSampler") return {epochBased(stopped, point)};
  return {advanced(stopped, point, work), fromBeginning(stopped, point)};
}

// timm aa4b585 (train.py, utils/checkpoint_saver.py, models/_helpers.py): a checkpoint names its epoch and no step, and
// resuming begins with the next one.

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
