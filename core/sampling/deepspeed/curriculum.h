// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/random/numpy_generator.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens::sampling {

/// One metric of DeepSpeed's curriculum learning.
struct DeepSpeedMetric {
  bool clustered = false;      ///< curriculum clustering schedule_based instead of single_cluster
  bool by_percentile = false;  ///< difficulties count percent of the samples instead of values
  std::int64_t min_difficulty = 1;
  std::int64_t max_difficulty = 1;
  std::int64_t total_step = 1;
  std::int64_t difficulty_step = 1;
  std::int64_t root_degree = 1;  ///< 1 for fixed_linear
  struct Stage {
    std::int64_t difficulty = 1;
    std::int64_t max_step = 0;  ///< its last step; of the last stage never read
  };
  std::vector<Stage> stages;         ///< of fixed_discrete; empty for the other schedules
  std::vector<double> values;        ///< of each sample
  std::vector<std::int64_t> rising;  ///< the samples by value, and those of one value ascending

  /// What the scheduler says at this step, after `current`.
  [[nodiscard]] std::int64_t difficultyAt(std::int64_t step, std::int64_t current) const;
  /// Samples above one difficulty and up to another; nothing when no sample has such a value.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> between(std::optional<std::int64_t> above,
                                                                 std::int64_t upto) const;
};

/// What rank 0 draws: global batches, one behind the other, from one generator.
class DeepSpeedCurriculum {
 public:
  DeepSpeedCurriculum(std::int64_t samples, std::int64_t global_batch, std::uint64_t seed,
                      std::vector<DeepSpeedMetric> metrics);

  /// The next global batch, which is shorter where a cluster has fewer samples than are drawn from it. What NumPy
  /// raises comes from here.
  Result<std::vector<std::int64_t>> next();

 private:
  struct Cluster {
    std::vector<std::int64_t> samples;
    std::size_t used = 0;
  };

  using Samples = std::optional<std::vector<std::int64_t>>;

  /// Raises the difficulties; whether one changed, and what they were before.
  bool advance(std::vector<std::optional<std::int64_t>>& before);
  [[nodiscard]] Result<Samples> newSamples(const std::vector<std::optional<std::int64_t>>& before) const;
  [[nodiscard]] Result<Samples> commonSamples() const;
  [[nodiscard]] std::vector<std::int64_t> all() const;
  void take(Cluster& cluster, std::size_t count, std::vector<std::int64_t>& batch);

  std::int64_t samples_;
  std::int64_t global_batch_;
  NumpyGenerator generator_;
  std::vector<DeepSpeedMetric> metrics_;
  std::vector<std::int64_t> scheduled_;                    ///< by metric, as its scheduler holds it
  std::vector<std::optional<std::int64_t>> difficulties_;  ///< by metric; none before the first step
  std::int64_t step_ = 0;
  std::vector<Cluster> clusters_;
};

}  // namespace shardlens::sampling
