// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlens {

/// What an epoch hands out, whoever gets it and in whatever order: a sum of 64-bit hashes for each step over all ranks,
/// and a bit for each sample.
class SampleContent {
 public:
  /// One pass over the items in batches. Cancelled when `work` says so.
  static Result<SampleContent> of(const EpochPlan& epoch, const Work& work = {});

  [[nodiscard]] const std::vector<std::uint64_t>& steps() const { return steps_; }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] std::int64_t items() const { return items_; }
  /// Samples that this epoch has and `other` has not.
  [[nodiscard]] std::int64_t without(const SampleContent& other) const;

 private:
  std::int64_t add(const RankEpoch& rank, std::size_t step);

  std::vector<std::uint64_t> steps_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t sum_ = 0;
  std::int64_t items_ = 0;
};

/// How the samples of two epochs compare.
struct SampleComparison {
  bool same_steps = false;       ///< each step has the same samples over all ranks, each as often
  bool same_samples = false;     ///< the whole epoch has
  std::int64_t only_first = 0;   ///< samples that the second epoch never hands out
  std::int64_t only_second = 0;  ///< and the first
};

SampleComparison compareSamples(const SampleContent& first, const SampleContent& second);

/// "the same samples in another order", for the second epoch against the first one.
std::string comparisonText(const SampleComparison& comparison, bool same_batches);

}  // namespace shardlens
