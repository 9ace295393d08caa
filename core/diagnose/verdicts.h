// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/rank_tracker.h"
#include "core/diagnose/run_state.h"

#include <optional>
#include <string>
#include <vector>

namespace shardlens {

/// What verdicts are drawn from: the state so far (ranks, arrivals, counts), and what the reducer remembers beside it.
struct Evidence {
  const RunState& state;
  const std::vector<RankTracker>& trackers;
  const CollectiveTable& collectives;
  std::int64_t now_ns = 0;
  std::int64_t last_progress_ns = 0;  ///< time of the latest record of any rank
  const std::string& lost;            ///< why the recording has no end; empty when it has one
};

/// Everything that is wrong, most important first.
std::vector<Verdict> verdictsOf(const Evidence& evidence);

/// The one rank that all the others are waiting for in a collective.
std::optional<std::int64_t> waitingFor(const Evidence& evidence);

/// How long nobody has to make progress before the job counts as stalled: three seconds (ten before the first
/// collective), or five steps when those take longer.
std::int64_t stallTime(const CollectiveTable& collectives);

}  // namespace shardlens
