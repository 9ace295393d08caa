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

/// What is known about one planned batch of a run.
enum class BatchMark : std::uint8_t { Unknown, Match, Mismatch };

/// Planned batch against consumed batch, rank by rank, over the last steps of a run. Steps count over all epochs.
struct BatchProof {
  std::int64_t ranks = 0;
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  std::vector<BatchMark> marks;  ///< step-major: marks[(step - first_step) * ranks + rank]

  [[nodiscard]] BatchMark at(std::int64_t rank, std::int64_t column) const {
    return marks[static_cast<std::size_t>(column * ranks + rank)];
  }
};

/// Keeps the marks of the last kWindow steps, whatever the length of the run.
class ProofRecorder {
 public:
  static constexpr std::int64_t kWindow = 256;

  explicit ProofRecorder(std::int64_t ranks = 0);
  /// Steps long before the newest one are already forgotten, and are ignored.
  void add(std::int64_t rank, std::int64_t global_step, bool matches);
  /// The marks of this rank so far.
  void forget(std::int64_t rank);
  [[nodiscard]] BatchProof recent() const;

 private:
  [[nodiscard]] std::size_t column(std::int64_t global_step) const;

  std::int64_t ranks_;
  std::int64_t newest_ = -1;
  std::vector<BatchMark> ring_;
};

}  // namespace shardlens
