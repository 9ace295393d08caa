// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rank_tracker.h"

#include <algorithm>

namespace shardlens {

bool OperationNumbers::leavesOut(const sl_record& enter) {
  if (enter.op >= SL_OP_SEND) return false;
  std::uint64_t& next = next_[{enter.group, enter.op}];
  const bool is_left_out = enter.seq > next;
  next = std::max(next, enter.seq + 1);
  return is_left_out;
}

}  // namespace shardlens
