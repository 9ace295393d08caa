// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/lockstep.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>

namespace shardlens {

/// What the plan itself costs, and what each rank's loader holds.
struct MemoryEstimate {
  std::int64_t order_bytes = 0;         ///< orders of one epoch in this program
  std::int64_t prefetched_batches = 0;  ///< num_workers * prefetch_factor, per rank, at most its batches
  std::int64_t prefetched_samples = 0;  ///< the samples in them
};

/// Expects the lockstep of the same epoch. Draws the order of rank 0 unless the plan keeps it.
Result<MemoryEstimate> memoryOf(const Plan& plan, const Lockstep& steps, const Work& work = {});

}  // namespace shardlens
