// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/overview.h"

#include <QtGlobal>

#include <cstdint>
#include <optional>
#include <vector>

namespace shardlens {
struct RankState;
struct RunState;
struct Verdict;
}  // namespace shardlens

namespace shardlens::ui {

/// A time of the run in which no rank went on, since the first record.
struct Stall {
  std::int64_t from_ns = 0, to_ns = 0;
  bool operator==(const Stall&) const = default;
};

/// The first verdict that the job stands still; null while it moves on.
const Verdict* stalledIn(const RunState& state);
/// The ranks that this verdict is about.
std::vector<const RankState*> culpritsIn(const RunState& state, const Verdict& verdict);
/// Those times that the verdicts of this moment name: pauses, and a standstill, which began when a rank last went on.
/// `overview` may be null.
std::vector<Stall> stallsOf(const RunState& state, const Overview* overview);
/// How long the others have waited for this rank; nothing for a rank that is not waited for.
std::optional<Stall> stallOf(const RunState& state, qint64 rank);
/// From the beginning of a standstill to the end of what is known; 0 without one.
std::int64_t stallLength(const RunState& state);

}  // namespace shardlens::ui
