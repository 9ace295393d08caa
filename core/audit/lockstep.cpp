// SPDX-License-Identifier: Apache-2.0
#include "core/audit/lockstep.h"

#include <algorithm>

namespace shardlens {

Lockstep lockstep(const Plan& plan, Epoch epoch) {
  Lockstep out;
  out.epoch = epoch.value;
  out.batches.reserve(static_cast<std::size_t>(plan.worldSize()));
  for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
    out.batches.push_back(plan.shape(epoch, Rank{rank}).batches);
  }
  const auto [fewest, most] = std::minmax_element(out.batches.begin(), out.batches.end());
  out.fewest = *fewest;
  out.most = *most;
  if (out.fewest == out.most) return out;
  for (std::int64_t rank = 0; rank < plan.worldSize(); ++rank) {
    if (out.batches[static_cast<std::size_t>(rank)] == out.fewest) out.first_out.push_back(rank);
  }
  return out;
}

}  // namespace shardlens
