// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/prediction.h"

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

}  // namespace

Result<std::shared_ptr<const Timeline>> predictedLanes(const Plan& plan, const EpochShape& shape, qint64 first_step,
                                                       const Work& work) {
  constexpr std::int64_t kSteps = 6;  // in view at once, as while a job runs
  const std::int64_t first = std::clamp<std::int64_t>(first_step, 0, std::max<std::int64_t>(0, shape.steps - kSteps));
  auto timeline = plan.spec().schedule.empty() ? predict(plan, shape, Step{first}, kSteps, work)
                                               : predictSchedule(plan, shape, Step{first}, kSteps, {}, work);
  if (!timeline) return timeline.error();
  return std::make_shared<const Timeline>(*std::move(timeline));
}

Result<Timeline> predictedRun(const Plan& plan, Epoch first_epoch, Step first_step, std::int64_t steps,
                              const Work& work) {
  if (!plan.spec().schedule.empty()) {
    return Error{ErrorCode::Unsupported,
                 phrase("run", "Comparing with the plan of a schedule is not possible yet.").toStdString(),
                 {},
                 {}};
  }
  constexpr std::int64_t kSpansOfAStep = 3;
  const auto most = static_cast<std::int64_t>(OverviewBuilder::kMostSpans);
  std::int64_t left = std::min(steps, std::max<std::int64_t>(1, most / (kSpansOfAStep * plan.spec().worldSize())));
  Timeline all;
  for (Epoch epoch = first_epoch; epoch.value < plan.epochs() && left > 0; ++epoch) {
    const auto shape = plan.epochShape(epoch, work);
    if (!shape) return shape.error();
    const Step from = epoch == first_epoch ? first_step : Step{0};
    const auto part = predict(plan, *shape, from, left, work);
    if (!part) return part.error();
    append(all, *part);
    left -= std::min(left, std::max<std::int64_t>(0, shape->steps - from.value));
  }
  return all;
}

}  // namespace shardlens::ui
