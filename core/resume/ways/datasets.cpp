// SPDX-License-Identifier: Apache-2.0
// datasets b7cb10b (iterable_dataset.py, state_dict): every worker of every rank saves which shard of its own list it
// reads and how far; a shuffle buffer's content is not saved.
#include "core/base/phrase.h"
#include "core/resume/ways/ways.h"

#include <utility>

namespace shardlens::resumes {
namespace {

bool isSaid(const PipelineSpec& spec, const char* key) {
  const auto found = spec.sampler.parameters.find(key);
  return found != spec.sampler.parameters.end() && found->second == Value(true);
}

ResumeWay stateDict(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  ResumeWay way =
      makeWay(stopped, "datasets", "datasets: load_state_dict",
              worded("resume", "Each worker of each rank continues after the last sample of its own shards."));
  const auto refused = [&](std::string message, std::string hint) {
    way.refuses = true;
    way.error = Error{ErrorCode::Unsupported, std::move(message), {}, std::move(hint)};
    return way;
  };
  if (resumedSpec(stopped, point).worldSize() != stopped.worldSize()) {
    return refused(
        worded("resume", "Its state is meaningless for another number of ranks: each rank has other shards."),
        worded("resume", "resume on the same number of ranks and workers"));
  }
  if (isSaid(stopped, "shuffle")) {
    return refused(worded("resume",
                          "The shuffle buffer is not saved: it is refilled from the current place, and its content is "
                          "lost: up to buffer_size samples on each worker."),
                   worded("resume", "save checkpoints at the end of an epoch"));
  }
  const auto steps = stepsOfSamples(stopped, point, true, work);
  if (!steps) return failing(std::move(way), steps.error());
  return skipping(std::move(way), point, point.epoch, *steps);
}

}  // namespace

std::vector<ResumeWay> datasets(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  std::vector<ResumeWay> ways = script(stopped, point, work);
  if (stopped.sampler.type == "datasets.IterableDataset") ways.push_back(stateDict(stopped, point, work));
  return ways;
}

}  // namespace shardlens::resumes
