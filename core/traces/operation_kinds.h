// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shardlens::traces {

/// What a name like "nccl:all_reduce", "nccl:send 0->1" or "AllReduce" means.
struct NamedOperation {
  std::uint16_t op = 0;              ///< one of SL_OP_*, or kShownOnly
  std::optional<std::int64_t> peer;  ///< of a send or recv: the other side, as a member of its group
  bool is_coalesced = false;         ///< stands for the operations before it that have its number
};
NamedOperation operationNamed(std::string_view name);

/// Bytes of one element of this type ("Float", "BFloat16", ...); 0: not known.
std::uint64_t bytesOfType(std::string_view dtype);

}  // namespace shardlens::traces
