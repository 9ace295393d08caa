// SPDX-License-Identifier: Apache-2.0
// detectron2 02b5c4e (engine/train_loop.py, engine/defaults.py, data/build.py): the trainer resumes its iteration, not
// its loader, and IMS_PER_BATCH counts the images of all ranks.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"
#include "core/sampling/python.h"

#include <string>
#include <utility>

namespace shardlens::resumes {
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

}  // namespace shardlens::resumes
