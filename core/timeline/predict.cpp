// SPDX-License-Identifier: Apache-2.0
#include "core/timeline/predict.h"

#include <algorithm>
#include <vector>

namespace shardlens {
namespace {

constexpr double kNsInMs = 1e6;

struct StepTimes {
  std::int64_t load_ns = 0;
  std::int64_t compute_ns = 0;
};

StepTimes timesOf(const PipelineSpec::Run& run, Rank rank, std::int64_t global_step) {
  const double load = run.load_ms + run.delayMs(rank, "load", global_step);
  const double compute = run.compute_ms + run.delayMs(rank, "compute", global_step);
  return {static_cast<std::int64_t>(load * kNsInMs), static_cast<std::int64_t>(compute * kNsInMs)};
}

}  // namespace

Result<std::int64_t> stepsBefore(const Plan& plan, Epoch epoch, const Work& work) {
  const auto& delays = plan.spec().run.delays;
  const bool matters = std::any_of(delays.begin(), delays.end(), [](const PipelineSpec::Run::Delay& delay) {
    return delay.from_step > 0 || delay.until_step > 0;
  });
  std::int64_t steps = 0;
  for (Epoch before{0}; matters && before < epoch; ++before) {
    const auto more = plan.steps(before, work);
    if (!more) return more.error();
    steps += *more;
  }
  return steps;
}

Result<Timeline> predict(const Plan& plan, const EpochShape& shape, Step first_step, std::int64_t steps,
                         const Work& work) {
  Timeline timeline;
  const std::size_t ranks = shape.ranks.size();
  std::vector<StepTimes> times(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) timeline.lanes.push_back({static_cast<std::int64_t>(rank), {}});
  const auto steps_before = stepsBefore(plan, shape.epoch, work);
  if (!steps_before) return steps_before.error();
  const std::int64_t last_step = std::min(first_step.value + steps, shape.steps);
  for (std::int64_t step = first_step.value; step < last_step; ++step) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      times[rank] = timesOf(plan.spec().run, Rank{static_cast<std::int64_t>(rank)}, *steps_before + step);
    }
    const std::int64_t begin = timeline.end_ns;
    std::int64_t release = begin;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (step < shape.ranks[rank].batches)
        release = std::max(release, begin + times[rank].load_ns + times[rank].compute_ns);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      auto& spans = timeline.lanes[rank].spans;
      std::int64_t at = begin;
      const auto add = [&](Phase phase, std::int64_t until) {
        if (until > at) {
          spans.push_back(
              {phase, at, until, static_cast<std::int32_t>(shape.epoch.value), static_cast<std::int32_t>(step)});
        }
        at = std::max(at, until);
      };
      if (step >= shape.ranks[rank].batches) {
        add(Phase::Unmeasured, release);
        continue;
      }
      add(Phase::Load, at + times[rank].load_ns);
      add(Phase::Compute, at + times[rank].compute_ns);
      add(Phase::Wait, release);
    }
    timeline.end_ns = release;
  }
  return timeline;
}

}  // namespace shardlens
