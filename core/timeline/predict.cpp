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

StepTimes timesOf(const PipelineSpec::Run& run, std::int64_t rank) {
  const bool is_slow = rank == run.delay_rank;
  const double load = run.load_ms + (is_slow && run.delay_phase == "load" ? run.delay_ms : 0);
  const double compute = run.compute_ms + (is_slow && run.delay_phase == "compute" ? run.delay_ms : 0);
  return {static_cast<std::int64_t>(load * kNsInMs), static_cast<std::int64_t>(compute * kNsInMs)};
}

}  // namespace

Timeline predict(const Plan& plan, Epoch epoch, Step first_step, std::int64_t steps) {
  Timeline timeline;
  const auto ranks = static_cast<std::size_t>(plan.worldSize());
  std::vector<StepTimes> times;
  std::vector<std::int64_t> batches;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto id = static_cast<std::int64_t>(rank);
    times.push_back(timesOf(plan.spec().run, id));
    batches.push_back(plan.shape(epoch, Rank{id}).batches);
    timeline.lanes.push_back({id, {}});
  }
  const std::int64_t last_step = std::min(first_step.value + steps, plan.steps(epoch));
  for (std::int64_t step = first_step.value; step < last_step; ++step) {
    const std::int64_t begin = timeline.end_ns;
    std::int64_t release = begin;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if (step < batches[rank]) release = std::max(release, begin + times[rank].load_ns + times[rank].compute_ns);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      auto& spans = timeline.lanes[rank].spans;
      std::int64_t at = begin;
      const auto add = [&](Phase phase, std::int64_t until) {
        if (until > at) {
          spans.push_back({phase, at, until, static_cast<std::int32_t>(epoch.value), static_cast<std::int32_t>(step)});
        }
        at = std::max(at, until);
      };
      if (step >= batches[rank]) {
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
