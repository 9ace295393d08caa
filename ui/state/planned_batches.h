// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::ui {

/// What a run should consume, from the spec that stands in its recording. Used by one thread at a time.
class PlannedBatches {
 public:
  /// No spec: nothing is known of any batch.
  PlannedBatches() = default;
  /// Keeps the first problem of a text that gives no plan.
  explicit PlannedBatches(const std::string& spec_yaml);

  [[nodiscard]] const std::optional<Plan>& plan() const { return plan_; }
  [[nodiscard]] const PipelineSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Over all ranks and epochs.
  [[nodiscard]] std::int64_t total() const { return total_; }
  /// Steps of each epoch before which a number counts over all epochs; one more than there are epochs.
  [[nodiscard]] const std::vector<std::int64_t>& epochStarts() const { return epoch_starts_; }
  [[nodiscard]] std::int64_t globalStep(std::int64_t epoch, std::int64_t step) const;

  /// The fingerprint of a batch; nothing when the plan has none there, or `work` stopped. The first batch of an epoch
  /// may take as long as its order.
  std::optional<std::uint64_t> fingerprint(std::int64_t rank, std::int64_t epoch, std::int64_t step, const Work& work);

 private:
  const EpochPlan* epochPlan(std::int64_t epoch, const Work& work);

  PipelineSpec spec_;
  std::optional<Plan> plan_;
  std::string problem_;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> epoch_starts_;
  std::map<std::int64_t, EpochPlan> epochs_;  ///< the newest few
};

}  // namespace shardlens::ui
