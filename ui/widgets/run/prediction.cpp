// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/prediction.h"

#include "core/schedule/schedule.h"
#include "core/timeline/overview.h"
#include "core/timeline/predict.h"
#include "ui/state/phrase.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

/// What comes after the end of `all`.
void append(Timeline& all, const Timeline& part) {
  if (all.lanes.empty()) all.lanes.resize(part.lanes.size());
  for (std::size_t rank = 0; rank < part.lanes.size(); ++rank) {
    all.lanes[rank].rank = part.lanes[rank].rank;
    for (Span span : part.lanes[rank].spans) {
      span.begin_ns += all.end_ns;
      span.end_ns += all.end_ns;
      all.lanes[rank].spans.push_back(span);
    }
  }
  all.end_ns += part.end_ns;
}

Result<Timeline> predicted(const Plan& plan, const EpochShape& shape, Step first, std::int64_t steps,
                           const Work& work) {
  return plan.spec().schedule.empty() ? predict(plan, shape, first, steps, work)
                                      : predictSchedule(plan, shape, first, steps, {}, work);
}

/// At most, of a rank; of a schedule with what is done before and after the steps.
std::int64_t spansOfAStep(const Plan& plan) {
  if (plan.spec().schedule.empty()) return 3;
  using schedule::At;
  const schedule::Schedule schedule(plan);
  std::size_t phases = 0;
  for (const At at : {At::Start, At::EpochStart, At::Step, At::EpochEnd, At::End})
    phases += schedule.phasesAt(at).size();
  return 2 * static_cast<std::int64_t>(phases);  // a wait and a transfer
}

Error unpredicted(const QString& why) {
  return {ErrorCode::Unsupported, why.toStdString(), {}, {}};
}

Error nothingTakesTime() {
  return unpredicted(phrase("run", "No phase takes time, so there is nothing to predict."));
}

}  // namespace

Result<std::shared_ptr<const Timeline>> predictedLanes(const Plan& plan, const EpochShape& shape, qint64 first_step,
                                                       const Work& work) {
  constexpr std::int64_t kSteps = 6;  // in view at once, as while a job runs
  const std::int64_t first = std::clamp<std::int64_t>(first_step, 0, std::max<std::int64_t>(0, shape.steps - kSteps));
  auto timeline = predicted(plan, shape, Step{first}, kSteps, work);
  if (!timeline) return timeline.error();
  if (timeline->end_ns == 0 && shape.steps > 0) return nothingTakesTime();
  return std::make_shared<const Timeline>(*std::move(timeline));
}

Result<Timeline> predictedRun(const Plan& plan, Epoch first_epoch, Step first_step, std::int64_t steps,
                              const Work& work) {
  const auto hang = schedule::hangOf(plan, work);
  if (!hang) return hang.error();
  if (*hang)
    return unpredicted((*hang)->may_end
                           ? phrase("run", "The schedule of this plan may hang: no run of it is predicted.")
                           : phrase("run", "The schedule of this plan hangs: no run of it ends."));
  if (!plan.spec().schedule.empty() && schedule::Schedule(plan).phasesAt(schedule::At::Step).empty())
    return unpredicted(phrase("run", "The schedule has no phase in a step, so no step is predicted."));
  const auto most = static_cast<std::int64_t>(OverviewBuilder::kMostSpans);
  const std::int64_t wanted =
      std::min(steps, std::max<std::int64_t>(1, most / (spansOfAStep(plan) * plan.worldSize())));
  std::int64_t left = wanted;
  Timeline all;
  for (Epoch epoch = first_epoch; epoch.value < plan.epochs() && left > 0; ++epoch) {
    const auto shape = plan.epochShape(epoch, work);
    if (!shape) return shape.error();
    const Step from = epoch == first_epoch ? first_step : Step{0};
    const auto part = predicted(plan, *shape, from, left, work);
    if (!part) return part.error();
    append(all, *part);
    left -= std::min(left, std::max<std::int64_t>(0, shape->steps - from.value));
  }
  if (all.end_ns == 0 && left < wanted) return nothingTakesTime();
  return all;
}

}  // namespace shardlens::ui
