// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/operation.h"

#include <cstdint>
#include <deque>
#include <map>

namespace shardlens {

/// When ranks waited for others, lately: who waited for a message is late to the next collective through no fault of
/// its own. A few dozen waits of each rank are kept, and no short ones.
class WaitLog {
 public:
  void add(std::int64_t rank, const Interval& wait);
  /// Takes out what was added; nothing when it is there no more.
  void remove(std::int64_t rank, const Interval& wait);
  /// For how long the rank waited between these moments, whatever it waited for.
  [[nodiscard]] std::int64_t within(std::int64_t rank, std::int64_t after_ns, std::int64_t until_ns) const;

 private:
  std::map<std::int64_t, std::deque<Interval>> waits_;  ///< by rank, in the order in which they were told
};

}  // namespace shardlens
