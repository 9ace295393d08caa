// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string>

namespace shardlens {

/// How the samples that two epochs hand out compare, whoever gets them and in whatever order.
struct SampleComparison {
  bool same_steps = false;       ///< each step has the same samples over all ranks, each as often
  bool same_samples = false;     ///< the whole epoch has
  std::int64_t only_first = 0;   ///< samples that the second epoch never hands out
  std::int64_t only_second = 0;  ///< and the first
};

/// One pass over the items of both; equality is judged by sums of 64-bit hashes. Cancelled when `work` says so.
Result<SampleComparison> compareSamples(const EpochPlan& first, const EpochPlan& second, const Work& work = {});

/// "the same samples in another order", for the second epoch against the first one.
std::string comparisonText(const SampleComparison& comparison, bool same_batches);

}  // namespace shardlens
