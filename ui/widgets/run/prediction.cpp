// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/prediction.h"

#include "core/timeline/predict.h"

#include <algorithm>

namespace shardlens::ui {

std::shared_ptr<const Timeline> predictedLanes(const Plan& plan, qint64 epoch, qint64 first_step) {
  constexpr std::int64_t kSteps = 6;  // in view at once, as while a job runs
  const std::int64_t all = plan.steps(Epoch{epoch});
  const std::int64_t first = std::clamp<std::int64_t>(first_step, 0, std::max<std::int64_t>(0, all - kSteps));
  return std::make_shared<const Timeline>(predict(plan, Epoch{epoch}, Step{first}, kSteps));
}

}  // namespace shardlens::ui
