// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What a run should consume, by the spec in its recording.
class PlannedBatches {
 public:
  /// No spec: no batch is known.
  PlannedBatches() = default;
  /// Keeps the first problem of a text that gives no plan.
  explicit PlannedBatches(const std::string& spec_yaml);

  [[nodiscard]] const std::optional<Plan>& plan() const { return plan_; }
  [[nodiscard]] const PipelineSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Over all ranks and epochs.
  [[nodiscard]] std::int64_t total() const { return total_; }
  /// The number of steps before each epoch, over all epochs; one more entry than there are epochs.
  [[nodiscard]] const std::vector<std::int64_t>& epochStarts() const { return epoch_starts_; }
  [[nodiscard]] std::int64_t globalStep(std::int64_t epoch, std::int64_t step) const;

 private:
  PipelineSpec spec_;
  std::optional<Plan> plan_;
  std::string problem_;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> epoch_starts_;
};

}  // namespace shardlens
