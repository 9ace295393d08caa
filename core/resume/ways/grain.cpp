// SPDX-License-Identifier: Apache-2.0
// Grain f5dd0d8 (data_loader.py, samplers.py): each process saves the index of its last record, and the text of its
// sampler, which names its shard.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <utility>

namespace shardlens::resumes {

std::vector<ResumeWay> grain(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way = makeWay(stopped, "grain", "Grain: set_state",
                          worded("resume", "Each process continues after the last record in its state."));
  if (resumedSpec(stopped, point).worldSize() == stopped.worldSize()) {
    const auto steps = stepsOfSamples(stopped, point, true, work);
    if (!steps) return {failing(std::move(way), steps.error())};
    return {skipping(std::move(way), point, point.epoch, *steps)};
  }
  way.refuses = true;
  way.error = Error{
      ErrorCode::Unsupported,
      worded("resume",
             "set_state() refuses it with a ValueError: the state belongs to a sampler with another shard count."),
      {},
      worded("resume", "resume on the same number of processes, or use Grain's ElasticIterator")};
  return {way};
}

}  // namespace shardlens::resumes
