// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"
#include "core/plan/plan.h"

#include <cstdint>

namespace shardlens {

/// How many workers of a rank ever load a batch, and how that is known.
struct LoadingWorkers {
  std::int64_t count = 0;  ///< of the rank that has most of them
  bool named = false;  ///< the order itself says which worker loads what; otherwise batch i goes to i mod num_workers
};

/// Counts them in the epoch of `shape`; may draw its order.
LoadingWorkers loadingWorkers(const Plan& plan, const EpochShape& shape, const Work& work);

}  // namespace shardlens
