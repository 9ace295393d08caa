// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/comparison.h"

#include "ui/scene/number_text.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace shardlens::ui {
namespace {

/// Less than this is not told: the same job differs so much from run to run.
constexpr double kSameStep = 0.02;
/// One step of so many is left out: the first ones, those before a checkpoint.
constexpr std::int64_t kSlowest = 20;

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

/// The mean of all steps but the slowest twentieth. A long run keeps several steps in one entry: each counts with their
/// average, and not with the longest of them, as a run is not slower for being longer.
std::int64_t usualStep(std::vector<StepTime> steps) {
  std::sort(steps.begin(), steps.end(), [](const StepTime& a, const StepTime& b) { return a.usual_ns > b.usual_ns; });
  std::int64_t all = 0;
  for (const StepTime& step : steps) all += step.steps;
  std::int64_t dropped = 0;
  std::int64_t counted = 0;
  double sum = 0;
  for (const StepTime& step : steps) {
    const bool is_last = dropped + step.steps >= all;
    if (counted == 0 && !is_last && kSlowest * dropped < all) {
      dropped += step.steps;
      continue;
    }
    counted += step.steps;
    sum += static_cast<double>(step.usual_ns) * static_cast<double>(step.steps);
  }
  return counted == 0 ? 0 : std::llround(sum / static_cast<double>(counted));
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

ComparedRun comparedRun(const QString& name, const Overview& overview, std::vector<qint64> node_starts) {
  ComparedRun run = withShares(name, overview.lanes);
  run.node_starts = std::move(node_starts);
  run.start_ns = firstMoment(overview.lanes);
  run.steps = stepsFrom(overview, run.start_ns);
  run.step_ns = usualStep(overview.steps);
  return run;
}

ComparedRun comparedPlan(const QString& name, const Timeline& predicted, std::vector<qint64> node_starts) {
  ComparedRun run = withShares(name, predicted);
  run.node_starts = std::move(node_starts);
  OverviewBuilder steps(static_cast<std::int64_t>(predicted.lanes.size()));
  for (const Lane& lane : predicted.lanes) {
    for (const Span& span : lane.spans) steps.add(lane.rank, span);
  }
  run.step_ns = usualStep(steps.overview().steps);
  return run;
}

ComparedRun onlyRanks(const ComparedRun& run, const std::vector<qint64>& ranks) {
  if (run.lanes == nullptr || ranks.empty()) return run;
  auto lanes = std::make_shared<Timeline>();
  lanes->begin_ns = run.lanes->begin_ns;
  lanes->end_ns = run.lanes->end_ns;
  std::ranges::copy_if(run.lanes->lanes, std::back_inserter(lanes->lanes),
                       [&ranks](const Lane& lane) { return std::ranges::find(ranks, lane.rank) != ranks.end(); });
  if (lanes->lanes.empty()) return run;
  ComparedRun few = run;
  few.lanes = std::move(lanes);
  few.node_starts.clear();
  return few;
}

std::optional<std::pair<std::int64_t, std::int64_t>> timeOfStep(const ComparedRun& run, qint64 epoch, qint64 step) {
  if (run.steps != nullptr) return timeOfStep(*run.steps, epoch, step);
  std::optional<std::pair<std::int64_t, std::int64_t>> time;
  if (run.lanes == nullptr) return time;
  for (const Lane& lane : run.lanes->lanes) {
    for (const Span& span : lane.spans) {
      if (span.epoch != epoch || span.step != step || span.phase == Phase::Unmeasured) continue;
      time = time ? std::pair(std::min(time->first, span.begin_ns), std::max(time->second, span.end_ns))
                  : std::pair(span.begin_ns, span.end_ns);
    }
  }
  return time;
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
    text.title = phrase("run", "A step takes %1 in both runs").arg(durationText(first.step_ns));
  } else {
    text.title = (change < 0 ? phrase("run", "A step takes %2 in %1 and %4 in %3: %5 less")
                             : phrase("run", "A step takes %2 in %1 and %4 in %3: %5 more"))
                     .arg(first.name, durationText(first.step_ns), second.name, durationText(second.step_ns),
                          percent(std::abs(change)));
  }
  return text;
}

QString comparisonCsv(const ComparedRun& first, const ComparedRun& second) {
  QString out = csvLine({"run", "ranks", "step_ms", "wait_share", "load_share"});
  for (const ComparedRun* run : {&first, &second}) {
    if (run->lanes == nullptr) continue;
    out += csvLine({run->name, QString::number(run->lanes->lanes.size()),
                    QString::number(static_cast<double>(run->step_ns) / 1e6, 'f', 3),
                    QString::number(run->wait_share, 'f', 4), QString::number(run->load_share, 'f', 4)});
  }
  return out;
}

}  // namespace shardlens::ui
