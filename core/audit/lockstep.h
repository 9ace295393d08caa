// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace shardlens {

/// Which ranks run out first, and what that does to the others.
struct Lockstep {
  std::vector<std::int64_t> batches;  ///< of each rank, epoch `epoch`
  std::int64_t epoch = 0;
  std::int64_t fewest = 0;
  std::int64_t most = 0;
  std::vector<std::int64_t> first_out;  ///< the ranks that stop at step `fewest`, when fewest < most
};

/// The batches of every rank in the epoch that is counted.
Lockstep lockstep(const EpochShape& shape);

}  // namespace shardlens
