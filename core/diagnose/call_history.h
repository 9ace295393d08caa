// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace shardlens {

/// One call of a collective, as the ranks' program makes it again and again.
struct Call {
  std::uint16_t op = 0;
  std::uint64_t bytes = 0;  ///< 0: not told, or ranks may differ

  bool operator==(const Call&) const = default;
};

/// What all members of a group called, in their order: the last some hundred calls.
class CallHistory {
 public:
  void add(const Call& call);
  /// Which of two calls came next, each time that the group had made the same calls before as by now: those of the
  /// history and then `since`. As many of these calls count as were made twice before. Nothing where that was
  /// neither, or not always the same.
  [[nodiscard]] std::optional<Call> usual(const std::vector<Call>& since, const Call& one, const Call& other) const;

 private:
  std::deque<Call> calls_;
};

}  // namespace shardlens
