// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/comparison.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace shardlens::ui {
namespace {

/// Less than this is not told: the same job differs so much from run to run.
constexpr double kSameStep = 0.02;

std::int64_t firstMoment(const Timeline& timeline) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Lane& lane : timeline.lanes) {
    if (!lane.spans.empty()) first = std::min(first, lane.spans.front().begin_ns);
  }
  return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
}

std::shared_ptr<const Timeline> fromItsStart(const Timeline& timeline) {
  const std::int64_t start = firstMoment(timeline);
  auto shifted = std::make_shared<Timeline>(timeline);
  shifted->begin_ns = 0;
  shifted->end_ns = 0;
  for (Lane& lane : shifted->lanes) {
    for (Span& span : lane.spans) {
      span.begin_ns -= start;
      span.end_ns -= start;
    }
    if (!lane.spans.empty()) shifted->end_ns = std::max(shifted->end_ns, lane.spans.back().end_ns);
  }
  return shifted;
}

std::shared_ptr<const Overview> stepsFrom(const Overview& overview, std::int64_t start) {
  auto shifted = std::make_shared<Overview>();
  shifted->steps = overview.steps;
  shifted->usual_longest_ns = overview.usual_longest_ns;
  for (StepTime& step : shifted->steps) {
    step.begin_ns -= start;
    step.slowest_ns -= start;
  }
  return shifted;
}

std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of what a rank takes from the beginning of a step to its end.
std::int64_t stepOfLanes(const Timeline& timeline) {
  std::vector<std::int64_t> steps;
  for (const Lane& lane : timeline.lanes) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::int64_t, std::int64_t>> extents;
    for (const Span& span : lane.spans) {
      auto& extent = extents.try_emplace({span.epoch, span.step}, span.begin_ns, span.end_ns).first->second;
      extent = {std::min(extent.first, span.begin_ns), std::max(extent.second, span.end_ns)};
    }
    for (const auto& [step, extent] : extents) steps.push_back(extent.second - extent.first);
  }
  return median(std::move(steps));
}

ComparedRun withShares(const QString& name, const Timeline& timeline) {
  std::array<double, 5> sums{};
  double measured = 0;
  for (const Lane& lane : timeline.lanes) {
    for (const Span& span : lane.spans) {
      if (span.phase == Phase::Unmeasured) continue;
      const auto length = static_cast<double>(span.end_ns - span.begin_ns);
      sums[static_cast<std::size_t>(span.phase)] += length;
      measured += length;
    }
  }
  ComparedRun run;
  run.name = name;
  run.lanes = fromItsStart(timeline);
  if (measured > 0) {
    run.wait_share = sums[static_cast<std::size_t>(Phase::Wait)] / measured;
    run.load_share = sums[static_cast<std::size_t>(Phase::Load)] / measured;
  }
  return run;
}

}  // namespace

ComparedRun comparedRun(const QString& name, const Overview& overview) {
  ComparedRun run = withShares(name, overview.lanes);
  run.start_ns = firstMoment(overview.lanes);
  run.steps = stepsFrom(overview, run.start_ns);
  std::vector<std::int64_t> steps;
  steps.reserve(overview.steps.size());
  for (const StepTime& step : overview.steps) steps.push_back(step.longest_ns);
  run.step_ns = median(std::move(steps));
  return run;
}

ComparedRun comparedPlan(const QString& name, const Timeline& predicted) {
  ComparedRun run = withShares(name, predicted);
  run.step_ns = stepOfLanes(predicted);
  return run;
}

ComparisonText comparisonText(const ComparedRun& first, const ComparedRun& second) {
  ComparisonText text;
  text.waits = phrase("run", "Waiting for other ranks: %1 and %2 of the time. Waiting for data: %3 and %4.")
                   .arg(percent(first.wait_share), percent(second.wait_share), percent(first.load_share),
                        percent(second.load_share));
  if (first.step_ns <= 0 || second.step_ns <= 0) {
    const QString& without = first.step_ns <= 0 ? first.name : second.name;
    text.title = phrase("run", "No step of %1 was measured").arg(without);
    return text;
  }
  const double change = static_cast<double>(second.step_ns) / static_cast<double>(first.step_ns) - 1;
  if (std::abs(change) < kSameStep) {
    text.title = phrase("run", "A step takes %1 in both").arg(durationText(first.step_ns));
  } else {
    text.title = (change < 0 ? phrase("run", "A step of %1 takes %2, one of %3 %4: %5 less")
                             : phrase("run", "A step of %1 takes %2, one of %3 %4: %5 more"))
                     .arg(first.name, durationText(first.step_ns), second.name, durationText(second.step_ns),
                          percent(std::abs(change)));
  }
  return text;
}

}  // namespace shardlens::ui
