// SPDX-License-Identifier: Apache-2.0
/// Every sentence about traces of other tools that people read.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shardlens::traces::words {

std::string notJson();
std::string tooDeep();
std::string pickleCut();
std::string pickleStack();
std::string pickleMemo();

/// A file was read up to this byte only.
std::string readUpTo(const std::string& file, std::size_t offset, const std::string& why);
/// Nothing of a file could be read.
std::string notRead(const std::string& file, const std::string& why);
std::string notATrace();
/// Nothing in the folder, or the file, could be read.
Error nothingRead(const std::string& path, const std::string& why);

}  // namespace shardlens::traces::words

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
