// SPDX-License-Identifier: Apache-2.0
#include "core/resume/ways/ways.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/sampling/script_seed.h"

#include <algorithm>
#include <utility>

namespace shardlens::resumes {
namespace {

/// A plan that is long enough for this epoch.
Result<Plan> planWith(PipelineSpec spec, Epoch epoch) {
  spec.epochs = std::max(spec.epochs, epoch.value + 1);
  return Plan::make(std::move(spec));
}

}  // namespace

PipelineSpec resumedSpec(const PipelineSpec& stopped, const ResumePoint& point) {
  PipelineSpec spec = stopped;
  spec.world = point.world;
  spec.loader.batch_size = point.batch_size.value_or(spec.loader.batch_size);
  return spec;
}

bool isUnchanged(const PipelineSpec& stopped, const ResumePoint& point) {
  return resumedSpec(stopped, point) == stopped;
}

ResumeWay makeWay(const PipelineSpec& stopped, std::string id, std::string title, std::string rule) {
  ResumeWay way;
  way.id = std::move(id);
  way.title = std::move(title);
  way.rule = std::move(rule);
  way.stopped = stopped;
  return way;
}

ResumeWay skipping(ResumeWay way, const ResumePoint& point, Epoch epoch, std::int64_t skip) {
  way.goes_on = Continuation{resumedSpec(way.stopped, point), epoch, skip, false, {}};
  return way;
}

ResumeWay failing(ResumeWay way, Error error) {
  way.goes_on.reset();
  way.error = std::move(error);
  return way;
}

ResumeWay reachingEnd(ResumeWay way, const ResumePoint& point, const Work& work) {
  const auto steps = stepsOf(resumedSpec(way.stopped, point), point.epoch, work);
  if (!steps) return failing(std::move(way), steps.error());
  return skipping(std::move(way), point, point.epoch, *steps);
}

Result<bool> isAtEnd(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const auto steps = stepsOf(stopped, point.epoch, work);
  if (!steps) return steps.error();
  return point.steps == *steps;
}

Result<std::int64_t> stepsOf(PipelineSpec spec, Epoch epoch, const Work& work) {
  const auto plan = planWith(std::move(spec), epoch);
  return plan ? plan->steps(epoch, work) : plan.error();
}

namespace {

/// Samples of all ranks in the first steps of an epoch.
Result<std::int64_t> samplesBefore(const PipelineSpec& spec, const ResumePoint& point, const Work& work) {
  const auto plan = planWith(spec, point.epoch);
  if (!plan) return plan.error();
  const auto drawn = plan->epoch(point.epoch, work);
  if (!drawn) return drawn.error();
  std::int64_t samples = 0;
  for (const RankEpoch& rank : drawn->ranks) {
    for (Step step{0}; step.value < std::min(point.steps, rank.batches()); ++step) samples += rank.batch(step).size();
  }
  return samples;
}

/// The most that a rank has in the batches of an epoch.
Result<std::int64_t> mostSamples(const PipelineSpec& spec, Epoch epoch, const Work& work) {
  const auto plan = planWith(spec, epoch);
  if (!plan) return plan.error();
  const auto shape = plan->epochShape(epoch, work);
  if (!shape) return shape.error();
  std::int64_t most = 0;
  for (const RankEpochShape& rank : shape->ranks) most = std::max(most, rank.samples - rank.dropped);
  return most;
}

}  // namespace

Result<std::int64_t> stepsOfSamples(const PipelineSpec& stopped, const ResumePoint& point, bool by_worker,
                                    const Work& work) {
  if (isUnchanged(stopped, point) || point.steps == 0) return point.steps;
  if (by_worker && stopped.loader.num_workers > 1) {
    return Error{ErrorCode::Unsupported,
                 worded("resume",
                        "The state counts for each worker, and from there the workers cut batches of another size: "
                        "ShardLens does not compute what follows."),
                 {},
                 worded("resume", "keep the batch_size")};
  }
  const PipelineSpec resumed = resumedSpec(stopped, point);
  const auto before = mostSamples(stopped, point.epoch, work);
  if (!before) return before.error();
  const auto after = mostSamples(resumed, point.epoch, work);
  if (!after) return after.error();
  const std::int64_t taken = std::min(point.steps * stopped.loader.batch_size, *before);
  if (taken >= *after) return stepsOf(resumed, point.epoch, work);
  if (taken % resumed.loader.batch_size == 0) return taken / resumed.loader.batch_size;
  return Error{ErrorCode::Unsupported,
               filled(worded("resume",
                             "The state counts %1 on each rank, which end inside a batch of %2: ShardLens does not "
                             "compute what follows."),
                      wordedCount(taken, "sample"), grouped(resumed.loader.batch_size)),
               {},
               worded("resume", "stop after a number of samples that both batch sizes divide, or keep the batch_size")};
}

Result<EqualSteps> equalSteps(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  const PipelineSpec resumed = resumedSpec(stopped, point);
  std::int64_t of_step = sampling::splitsBatches(resumed) ? 1 : resumed.worldSize();
  EqualSteps equal;
  if (resumed.loader.batch_size == stopped.loader.batch_size) {
    equal.done = point.steps * (sampling::splitsBatches(stopped) ? 1 : stopped.worldSize());
  } else {
    const auto samples = samplesBefore(stopped, point, work);
    if (!samples) return samples.error();
    equal.done = *samples;
    of_step *= resumed.loader.batch_size;
  }
  equal.steps = equal.done / of_step;
  equal.left = equal.done % of_step;
  return equal;
}

std::string equalStepsText(const PipelineSpec& stopped, const ResumePoint& point, const EqualSteps& equal) {
  const bool one = point.steps == 1;
  return filled(equal.left == 0 ? (one ? worded("resume", "%1 on %2 is %3.") : worded("resume", "%1 on %2 are %3."))
                                : (one ? worded("resume", "%1 on %2 is %3, with %4 left over.")
                                       : worded("resume", "%1 on %2 are %3, with %4 left over.")),
                stepsText(point.steps), wordedCount(stopped.worldSize(), "rank"),
                point.batch_size ? wordedCount(equal.done, "sample") : batchesText(equal.done), grouped(equal.left));
}

namespace {

/// Of the first epoch: its steps, and the samples of rank 0.
Result<std::pair<std::int64_t, std::int64_t>> firstEpochOf(const PipelineSpec& spec, const Work& work) {
  const auto plan = Plan::make(spec);
  if (!plan) return plan.error();
  const auto steps = plan->steps(Epoch{0}, work);
  if (!steps) return steps.error();
  const auto shape = plan->shape(Epoch{0}, Rank{0}, work);
  if (!shape) return shape.error();
  return std::pair(*steps, shape->samples);
}

}  // namespace

Result<bool> dividesAmongRanks(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  PipelineSpec resumed = stopped;
  resumed.world = point.world;
  if (resumed.worldSize() == stopped.worldSize()) return false;
  const auto before = firstEpochOf(stopped, work);
  if (!before) return before.error();
  const auto after = firstEpochOf(resumed, work);
  if (!after) return after.error();
  return *before != *after;  // also as many steps of other slices, such as 7 and 5 samples in batches of 4
}

Result<bool> changesSteps(const PipelineSpec& stopped, const ResumePoint& point, const Work& work) {
  if (resumedSpec(stopped, point).loader.batch_size != stopped.loader.batch_size) return true;
  return dividesAmongRanks(stopped, point, work);
}

std::int64_t numberGiven(const PipelineSpec& spec, const std::string& key, std::int64_t other) {
  const auto found = spec.sampler.parameters.find(key);
  const bool is_number = found != spec.sampler.parameters.end() && std::holds_alternative<std::int64_t>(found->second);
  return is_number ? std::get<std::int64_t>(found->second) : other;
}

PipelineSpec withoutState(PipelineSpec spec) {
  const std::string_view consumed = sampling::traitsOf(spec).consumed;
  if (!consumed.empty()) spec.sampler.parameters.erase(std::string(consumed));
  return spec;
}

bool isLast(const PipelineSpec& stopped, const ResumePoint& point) {
  return point.epoch.value + 1 >= stopped.epochs;
}

EpochOrder epochOrderOf(const PipelineSpec& spec, Epoch epoch) {
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  const sampling::OrderKey now = rule->key(spec, epoch, Rank{0});
  const sampling::OrderKey first = rule->key(spec, Epoch{0}, Rank{0});
  if (now == first) return EpochOrder::Same;
  PipelineSpec other = sampling::seededAs(spec, Rank{0});
  ++other.seeds.base;
  if (sampling::seedsEachEpoch(spec) && rule->key(other, epoch, Rank{0}) != now) return EpochOrder::BySeed;
  const bool same_seed = now.recipe == first.recipe && now.seed == first.seed;
  return same_seed || rule->shared_outputs(spec, Rank{0}) > 0 ? EpochOrder::ByStream : EpochOrder::ByNumber;
}

bool followsGlobalStream(const PipelineSpec& spec) {
  const auto generator = spec.sampler.parameters.find(std::string(sampling::traitsOf(spec).generator));
  const bool has_own = generator != spec.sampler.parameters.end() && generator->second != Value(std::string("none"));
  return !has_own && sampling::findRule(spec.sampler.type)->shared_outputs(spec, Rank{0}) > 0;
}

std::string stepsText(std::int64_t steps) {
  return wordedCount(steps, "step");
}

std::string batchesText(std::int64_t batches) {
  return wordedCount(batches, "batch");
}

}  // namespace shardlens::resumes
