// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/resume/resume.h"

#include <cstdint>
#include <string>
#include <vector>

/// How each framework goes on in the middle of an epoch: one file a framework, one row in core/resume/resume.cpp.
namespace shardlens::resumes {

/// The ways to go on with a run that is dealt by this spec. Only what must draw an epoch to know looks at `work`.
using Rule = std::vector<ResumeWay> (*)(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

std::vector<ResumeWay> accelerate(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> datasets(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> deepSpeed(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> detectron2(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> fairseq(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> grain(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> lightning(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> megatron(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> mmengine(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
/// A training loop of the user's own over a plain DataLoader.
std::vector<ResumeWay> script(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> streaming(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> timm(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> torchdata(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> transformers(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> webDataset(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// The same pipeline on the resumed run's ranks.
PipelineSpec resumedSpec(const PipelineSpec& stopped, const ResumePoint& point);

/// A way that is not said to go anywhere yet.
ResumeWay makeWay(const PipelineSpec& stopped, std::string id, std::string title, std::string rule);

/// The way that goes on in `epoch` of the plan behind `skip` steps of each rank.
ResumeWay skipping(ResumeWay way, const ResumePoint& point, Epoch epoch, std::int64_t skip);

/// The way that does not go on, or of which nobody can say how.
ResumeWay failing(ResumeWay way, Error error);

/// The way that reads nothing more of the interrupted epoch; fails when that cannot be counted.
ResumeWay reachingEnd(ResumeWay way, const ResumePoint& point, const Work& work);

/// Whether the run is stopped behind the last step of its epoch, which some frameworks then take for finished. Errors
/// as of stepsOf().
Result<bool> isAtEnd(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// The epoch's steps on the rank with the most. What the framework raises when there is no such plan, why nobody can
/// count them, or Cancelled.
Result<std::int64_t> stepsOf(PipelineSpec spec, Epoch epoch, const Work& work);

/// Steps of the resumed run in which all ranks together take as many samples as the stopped run had taken; rounded
/// down.
std::int64_t equalSteps(const PipelineSpec& stopped, const ResumePoint& point);

/// Whether the other number of ranks has another number of steps: the ranks share the samples, and a step of all of
/// them is another number of samples. Errors as of stepsOf().
Result<bool> dividesAmongRanks(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// How the order changes from epoch to epoch.
enum class EpochOrder {
  Same,      ///< it does not
  ByNumber,  ///< the sampler is told the epoch's number
  ByStream,  ///< each epoch goes on in the generator's stream
};
EpochOrder epochOrderOf(const PipelineSpec& spec, Epoch epoch);

/// Whether the order comes from torch's global generator, and not from one that the script made.
bool followsGlobalStream(const PipelineSpec& spec);

/// "1 step", "3 steps".
std::string stepsText(std::int64_t steps);
/// "first step", "first 3 steps".
std::string firstStepsText(std::int64_t steps);

}  // namespace shardlens::resumes
