// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/prediction.h"

#include "core/timeline/predict.h"

#include <algorithm>

namespace shardlens::ui {

std::optional<std::shared_ptr<const Timeline>> predictedLanes(const Plan& plan, const EpochShape& shape,
                                                              qint64 first_step, const Work& work) {
  constexpr std::int64_t kSteps = 6;  // in view at once, as while a job runs
  const std::int64_t first = std::clamp<std::int64_t>(first_step, 0, std::max<std::int64_t>(0, shape.steps - kSteps));
  auto timeline = predict(plan, shape, Step{first}, kSteps, work);
  if (!timeline) return std::nullopt;
  return std::make_shared<const Timeline>(*std::move(timeline));
}

}  // namespace shardlens::ui
