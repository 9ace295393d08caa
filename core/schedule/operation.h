// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace shardlens::schedule {

enum class Kind { Load, Compute, Host, AllReduce, ReduceScatter, AllGather, Broadcast, AllToAll, Barrier, Send, Recv };
/// "all_reduce".
std::string_view nameOf(Kind kind);
/// Whether a rank does it alone.
constexpr bool isLocal(Kind kind) {
  return kind <= Kind::Host;
}
constexpr bool isMessage(Kind kind) {
  return kind >= Kind::Send;
}

enum class Reduction { None, Sum, Avg, Max };
/// "sum"; empty for None.
std::string_view nameOf(Reduction reduction);

/// When a rank does something: the parts of a job, in order.
enum class At { Start, EpochStart, Step, EpochEnd, End };

/// A moment of a job. The order of moments is that of a rank's program.
struct Moment {
  Epoch epoch;  ///< the first one at the start, the last one at the end
  At at = At::Start;
  Step step;  ///< 0 outside of steps

  auto operator<=>(const Moment&) const = default;
};

/// One thing that a rank does, planned or measured.
struct Operation {
  Kind kind = Kind::Barrier;
  std::size_t group = 0;  ///< whom it is called with: a number among the groups
  Reduction reduction = Reduction::None;
  Rank peer{-1};  ///< of a message the other rank, of a broadcast the source; else -1
  std::int64_t bytes = 0;
  double ms = 0;  ///< how long it takes; of what ranks do together, once all of them are there
  Moment moment;
  std::size_t phase = 0;  ///< its place within the moment
  std::size_t line = 0;   ///< of the spec's schedule, from 0

  bool operator==(const Operation&) const = default;
};

/// Whether ranks that call these collectives in one place call the same; all_to_all may differ in size.
bool match(const Operation& a, const Operation& b);

/// Ranks that call collectives together, ascending.
using Group = std::vector<Rank>;

}  // namespace shardlens::schedule
