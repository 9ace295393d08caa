// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/resume/resume.h"

#include <cstdint>
#include <string>
#include <vector>

/// How each framework continues in the middle of an epoch: a function per framework, and a row in
/// core/resume/resume.cpp.
namespace shardlens::resumes {

/// The ways to continue a run that is dealt by this spec. Only ways that must draw an epoch check `work`.
using Rule = std::vector<ResumeWay> (*)(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// For a framework whose saved state ShardLens does not know: only what holds once its sampler is back at the epoch.
std::vector<ResumeWay> asBefore(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> accelerate(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> datasets(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> deepSpeed(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> detectron2(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> fairseq(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> grain(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> lightning(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> megatron(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> mmengine(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
/// What a job read, as it was recorded: no run continues as it did.
std::vector<ResumeWay> recorded(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
/// A training loop of the user's own over a plain DataLoader.
std::vector<ResumeWay> script(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> streaming(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> timm(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> torchdata(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> transformers(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);
std::vector<ResumeWay> webDataset(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// The same pipeline on the resumed run's ranks, with its batch_size.
PipelineSpec resumedSpec(const PipelineSpec& stopped, const ResumePoint& point);

/// A way whose continuation is not set yet.
ResumeWay makeWay(const PipelineSpec& stopped, std::string id, std::string title, std::string rule);

/// The way that continues in `epoch` of the plan after `skip` steps of each rank.
ResumeWay skipping(ResumeWay way, const ResumePoint& point, Epoch epoch, std::int64_t skip);

/// A way that does not continue, or whose continuation is not known.
ResumeWay failing(ResumeWay way, Error error);

/// The way that reads nothing more of the interrupted epoch; fails when that cannot be counted.
ResumeWay reachingEnd(ResumeWay way, const ResumePoint& point, const Work& work);

/// Whether the run is stopped after the last step of its epoch, which some frameworks then consider finished. Errors
/// as of stepsOf().
Result<bool> isAtEnd(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// The epoch's steps on the rank with the most. An error when the framework raises and there is no such plan, when they
/// cannot be counted, or Cancelled.
Result<std::int64_t> stepsOf(PipelineSpec spec, Epoch epoch, const Work& work);

/// The whole number that the spec gives for this parameter of its sampler, or `other`.
std::int64_t numberGiven(const PipelineSpec& spec, const std::string& key, std::int64_t other);

/// The spec without what a state loaded before said that was handed out: what a new loader begins with.
PipelineSpec withoutState(PipelineSpec spec);

/// Whether the epoch is the last one of the run.
bool isLast(const PipelineSpec& stopped, const ResumePoint& point);

/// Whether the resumed run has the ranks and the batch_size of the stopped one.
bool isUnchanged(const PipelineSpec& stopped, const ResumePoint& point);

/// Steps of the resumed run after which each rank has taken as many samples as a rank of the stopped run had: what a
/// state that counts samples means. An error where they end within a batch: ShardLens does not compute what follows.
/// `by_worker`: the state counts for each of the workers, which cut batches of their own.
Result<std::int64_t> stepsOfSamples(const PipelineSpec& stopped, const ResumePoint& point, bool by_worker,
                                    const Work& work);

/// Steps of the resumed run in which all ranks together take as many batches as the stopped run had taken, or as many
/// samples where the batch_size changes; rounded down.
struct EqualSteps {
  std::int64_t steps = 0;
  std::int64_t done = 0;  ///< batches or samples before the stop
  std::int64_t left = 0;  ///< of these, beyond those steps
};
Result<EqualSteps> equalSteps(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// "7 steps on 4 ranks are 28 batches, with 4 left over.": why these are so many.
std::string equalStepsText(const PipelineSpec& stopped, const ResumePoint& point, const EqualSteps& equal);

/// Whether another number of ranks means another number of steps: the ranks share the samples, and a step of all of
/// them then takes another number of samples. Errors as of stepsOf().
Result<bool> dividesAmongRanks(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// Whether a step of the resumed run takes another number of samples, for that or for its batch_size.
Result<bool> changesSteps(const PipelineSpec& stopped, const ResumePoint& point, const Work& work);

/// How the order changes from epoch to epoch.
enum class EpochOrder {
  Same,      ///< it does not
  ByNumber,  ///< the sampler gets the epoch's number
  ByStream,  ///< each epoch continues the generator's stream
  BySeed,    ///< the script seeds the generators anew with the epoch's number
  InState,   ///< the framework keeps the epoch in a state of its own, which is not modelled
};
EpochOrder epochOrderOf(const PipelineSpec& spec, Epoch epoch);

/// Whether the order comes from torch's global generator, and not from one that the script made.
bool followsGlobalStream(const PipelineSpec& spec);

/// "1 step", "3 steps".
std::string stepsText(std::int64_t steps);
/// "1 batch", "3 batches".
std::string batchesText(std::int64_t batches);

}  // namespace shardlens::resumes
