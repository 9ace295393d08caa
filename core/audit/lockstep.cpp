// SPDX-License-Identifier: Apache-2.0
#include "core/audit/lockstep.h"

#include <algorithm>

namespace shardlens {

Lockstep lockstep(const EpochShape& shape) {
  Lockstep out;
  out.epoch = shape.epoch.value;
  out.batches.reserve(shape.ranks.size());
  for (const RankEpochShape& rank : shape.ranks) out.batches.push_back(rank.batches);
  const auto [fewest, most] = std::minmax_element(out.batches.begin(), out.batches.end());
  out.fewest = *fewest;
  out.most = *most;
  if (out.fewest == out.most) return out;
  for (std::size_t rank = 0; rank < out.batches.size(); ++rank) {
    if (out.batches[rank] == out.fewest) out.first_out.push_back(static_cast<std::int64_t>(rank));
  }
  return out;
}

}  // namespace shardlens
