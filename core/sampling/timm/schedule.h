// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/random/torch_multinomial.h"
#include "core/sampling/timm/scheduled_batch_sampler.h"

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::sampling {

/// What ScheduledBatchSampler is told about its batches.
struct TimmChoices {
  std::vector<std::int64_t> sizes;
  std::vector<double> weights;  ///< a sum of 1
  std::uint64_t seed = 0;
  bool drop_last = false;
  bool shuffle = true;
  std::int64_t num_batches = 0;  ///< 0: as many as the samples give
  bool progressive = false;
  std::int64_t schedule_epochs = 1;
  double spread = 0;
  double random_mix = 0;
  std::string torch = "2.9";                                      ///< release
  TorchMultinomialPath path = TorchMultinomialPath::Exponential;  ///< of a draw of one

  /// The probability of each choice in an epoch.
  [[nodiscard]] std::vector<double> weightsIn(std::int64_t epoch) const;
  /// num_batches, or what a progressive schedule infers from the number of samples; 0 without either.
  [[nodiscard]] std::int64_t fixedBatches(std::int64_t samples) const;
  /// The batches of an epoch, in their order.
  [[nodiscard]] std::vector<TimmScheduled> schedule(std::int64_t samples, std::int64_t epoch) const;

 private:
  [[nodiscard]] std::vector<TimmScheduled> ofBudget(std::int64_t samples) const;
  [[nodiscard]] std::vector<TimmScheduled> ofNumber(std::int64_t batches, std::int64_t epoch) const;
};

}  // namespace shardlens::sampling
