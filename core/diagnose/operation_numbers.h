// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wire/record.h"

#include <cstdint>
#include <map>
#include <utility>

namespace shardlens {

/// The numbers of one rank's operations. A rank counts its operations of one kind in one group from 0: a number that is
/// left out was recorded once, and its neighbours with it.
class OperationNumbers {
 public:
  /// Takes a COLL_ENTER; whether a number before it was left out. Sends and recvs count by their other side, and tell
  /// nothing.
  bool leavesOut(const sl_record& enter);

 private:
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> next_;  ///< by group and operation
};

}  // namespace shardlens
