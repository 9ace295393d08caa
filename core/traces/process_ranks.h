// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace shardlens::traces {

/// What NCCL calls a rank by outside of a communicator.
struct DeviceProcess {
  std::string host;
  std::int64_t pid = 0;
  std::int64_t device = -1;  ///< -1: not told
  auto operator<=>(const DeviceProcess&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
};

/// The ranks of a job whose communicators number their own members: those of the first communicator are its ranks, and
/// processes that it does not have come after them.
class ProcessRanks {
 public:
  /// The members of a communicator by their number in it, the largest communicator first.
  void add(const std::map<std::int64_t, DeviceProcess>& members) {
    for (const auto& [place, process] : members) {
      const std::int64_t rank = is_numbered_ ? count_ : place;
      const auto [known, is_new] = rank_of_.try_emplace(process, rank);
      if (is_new) count_ = count_ > rank ? count_ : rank + 1;
    }
    is_numbered_ = is_numbered_ || !members.empty();
  }
  /// Nothing for a process that was not added.
  [[nodiscard]] std::optional<std::int64_t> of(const DeviceProcess& process) const {
    const auto found = rank_of_.find(process);
    return found == rank_of_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::map<DeviceProcess, std::int64_t> rank_of_;
  std::int64_t count_ = 0;
  bool is_numbered_ = false;
};

}  // namespace shardlens::traces
