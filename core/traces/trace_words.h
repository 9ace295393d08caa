// SPDX-License-Identifier: Apache-2.0
/// Every sentence about traces of other tools that people read.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::traces::words {

std::string notJson();
std::string tooDeep();
std::string pickleCut();
std::string pickleStack();
std::string pickleMemo();
std::string pickleName(const std::string& name);
std::string pickleCall();
std::string pickleProtocol(std::uint64_t protocol);
std::string pickleOpcode(const std::string& name);

/// A file was read up to this byte only.
std::string readUpTo(const std::string& file, std::size_t offset, const std::string& why);
/// Nothing of a file could be read.
std::string notRead(const std::string& file, const std::string& why);
std::string noRank(const std::string& file);
std::string rankTwice(const std::string& file, std::int64_t rank, const std::string& other);
std::string notATrace();
std::string ranksWithoutDump(const std::vector<std::int64_t>& ranks, std::int64_t world_size);
std::string overwritten(const std::vector<std::int64_t>& ranks);
std::string noTimes();
std::string unknownOperations(const std::string& names);
std::string newerVersion(const std::string& version);
std::string otherKinds(const std::string& source);
std::string newestStatus(const std::string& time);
std::string rasCounts();
std::string inspectorSamples();
std::string inspectorLeftOut(std::int64_t lines);
std::string linesLeftOut(const std::string& file, std::size_t offset);
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
