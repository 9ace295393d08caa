// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/python.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens::resumes {

// DeepSpeed edaa722 (runtime/engine.py, runtime/dataloader.py): without curriculum learning a checkpoint holds nothing
// of the loader.

std::vector<ResumeWay> deepSpeed(const PipelineSpec& stopped, const ResumePoint& point, const Work& /*work*/) {
  return {skipping(
      makeWay(
          stopped, "deepspeed", "DeepSpeed: load_checkpoint",
          worded("resume",
                 "The state of the loader is not saved, and set_epoch is never called: the only order starts again.")),
      point, point.epoch, 0)};
}

// fairseq 3d262bb (data/iterators.py, EpochBatchIterator): a checkpoint holds the epoch and how many batches a rank
// had, and each rank's new list of batches goes on behind so many.

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

// Megatron-LM d98e8a6 (checkpointing.py, training.py, data_samplers.py): a checkpoint holds how many samples all ranks
// consumed, over all epochs, and the new sampler is made with that number whatever its world.

namespace {

std::int64_t numberOf(const PipelineSpec& spec, const std::string& key) {
  const auto found = spec.sampler.parameters.find(key);
  const auto* number = found == spec.sampler.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number == nullptr ? 0 : *number;
}

std::int64_t stepSamples(const PipelineSpec& spec) {
  return spec.loader.batch_size * spec.worldSize();
}

/// Samples of one step of the plan: the hybrid sampler hands out a whole global batch.
std::int64_t planStepSamples(const PipelineSpec& spec) {
  const std::int64_t global = numberOf(spec, "global_batch_size");
  return global == 0 ? stepSamples(spec) : global / stepSamples(spec) * stepSamples(spec);
}

bool isCyclic(const PipelineSpec& spec) {
  return spec.sampler.type == "megatron.MegatronPretrainingRandomSampler";
}

/// Samples of the stretch that each rank permutes with data_sharding.
std::int64_t stretchOf(const PipelineSpec& spec) {
  const std::int64_t batch = spec.loader.batch_size;
  return spec.dataset.size / spec.worldSize() / batch * batch;
}

/// Only the cyclic sampler has epochs of its own; for the others the dataset holds them, and a pass is all there is.
Result<std::int64_t> consumedAt(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  std::int64_t steps = point.steps;
  for (Epoch epoch{0}; isCyclic(stopped) && epoch.value < point.epoch.value; ++epoch) {
    auto more = stepsOf(stopped, epoch, work);
    if (!more) return more;
    steps += *more;
  }
  return numberOf(stopped, "consumed_samples") + steps * planStepSamples(stopped);
}

/// The pass that `consumed` falls into, from its beginning.
PipelineSpec wholePass(PipelineSpec spec, std::int64_t consumed) {
  const std::int64_t active = spec.dataset.size - spec.dataset.size % stepSamples(spec);
  const bool cyclic = isCyclic(spec) && active > 0;
  spec.sampler.parameters["consumed_samples"] = cyclic ? consumed - consumed % active : std::int64_t{0};
  return spec;
}

ResumeWay consumed(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto samples = consumedAt(stopped, point, work);
  ResumeWay way = makeWay(
      stopped, "megatron", "Megatron-LM: consumed_samples",
      samples
          ? filled(worded("resume", "The sampler is created with consumed_samples=%1, whatever the number of ranks."),
                   std::to_string(*samples))
          : worded("resume", "The sampler is created with consumed_samples, whatever the number of ranks."));
  if (!samples) return failing(std::move(way), samples.error());
  const Result<bool> at_end = isCyclic(stopped) ? isAtEnd(stopped, point, work) : Result<bool>(false);
  if (!at_end) return failing(std::move(way), at_end.error());
  if (*at_end && isUnchanged(stopped, point)) {
    way.notes.push_back({Severity::Info, worded("resume", "The next pass over the dataset starts there.")});
    return reachingEnd(std::move(way), point, work);
  }
  PipelineSpec spec = resumedSpec(stopped, point);
  spec.sampler.parameters["consumed_samples"] = *samples;
  PipelineSpec whole = wholePass(spec, *samples);
  const bool moves = spec.worldSize() != stopped.worldSize() || stretchOf(spec) != stretchOf(stopped);
  way.goes_on = Continuation{std::move(spec), Epoch{0}, 0, false, std::move(whole)};
  const auto sharding = stopped.sampler.parameters.find("data_sharding");
  const bool stretches = sharding == stopped.sampler.parameters.end() || sharding->second == Value(true);
  if (isCyclic(stopped) && stretches && moves) {
    way.notes.push_back(
        {Severity::Warning, worded("resume",
                                   "With data_sharding, a different number of ranks or batch_size permutes different "
                                   "parts of the dataset; turn it off to continue in the same order.")});
  }
  return way;
}

/// A full validation always begins with the first sample.
ResumeWay validation(const PipelineSpec& stopped, const ResumePoint& point) {
  return skipping(makeWay(stopped, "megatron-validation", worded("resume", "Megatron-LM: full validation"),
                          worded("resume", "A full validation is never resumed: it starts again.")),
                  point, point.epoch, 0);
}

}  // namespace

std::vector<ResumeWay> megatron(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const bool validates = stopped.sampler.type == "megatron.MegatronFullValidationSampler";
  return {validates ? validation(stopped, point) : consumed(stopped, point, work)};
}

}  // namespace shardlens::resumes
