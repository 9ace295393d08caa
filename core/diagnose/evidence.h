// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/diagnose/collective_table.h"
#include "core/diagnose/deaths.h"
#include "core/diagnose/group_table.h"
#include "core/diagnose/operation.h"
#include "core/diagnose/rank_tracker.h"
#include "core/diagnose/run_state.h"
#include "core/diagnose/slow_ranks.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shardlens {

using Ranks = std::vector<std::int64_t>;

/// A time in which a rank was stopped by a signal, or in which no record of any rank came.
struct StandStill {
  std::int64_t rank = -1;  ///< -1: all
  std::int64_t from_ns = 0, to_ns = 0;
};

/// What verdicts are drawn from: the state so far (ranks, arrivals, counts), and what the reducer remembers in
/// addition.
struct Evidence {
  const RunState& state;
  const std::vector<RankTracker>& trackers;
  const CollectiveTable& collectives;
  const GroupTable& groups;
  const Deaths& deaths;
  std::int64_t now_ns = 0;
  std::int64_t last_progress_ns = 0;                     ///< time of the latest record of any rank
  std::int64_t went_on_ns = 0;                           ///< of the latest that shows that the job went on
  const std::string& lost;                               ///< why the recording has no end; empty when it has one
  const std::map<std::uint32_t, Judgement>& judgements;  ///< by group
  const std::vector<StandStill>& stops;                  ///< that are over: of a rank stopped by a signal, or of all
  std::int64_t begin_ns = 0;                             ///< the run's first moment
  std::int64_t learned_ns = 0;                           ///< when a rank said first how many there are
  bool is_world_learned = false;    ///< from a rank: those that never reported may be where no probe is
  bool has_other_start = false;     ///< ranks were started again, and what these did was not recorded
  std::int64_t told_world = 0;      ///< the size of the first start's world where that is not the job's
  const TraceEnd* trace = nullptr;  ///< of another tool's trace; null: the events are of a recording of ours
  bool is_at_end = false;           ///< of that trace
  bool says_no_end_first = false;   ///< of `lost`, as RecordingLost has it
  bool is_stop_told = false;        ///< the job was stopped, and what was wrong at that moment is remembered

  [[nodiscard]] const RankTracker& tracker(std::int64_t rank) const { return trackers[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const RankState& rank(std::int64_t rank) const { return state.ranks[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool hasEnded(std::int64_t rank) const { return deaths.of(rank).how != RankEnd::NotYet; }
};

/// Which ranks wait for which at this moment, over all groups.
struct Waits {
  /// They only wait in an operation; ascending. Once nothing moves, also those that compute while their devices are in
  /// one.
  Ranks blocked;
  Ranks culprits;  ///< a blocked rank waits for them, and they are not blocked themselves; ascending
  Ranks done;      ///< a blocked rank waits for them, although they have said that they end; ascending
  /// Some are blocked in an operation that is not complete, and all others have finished. A rank that ended itself with
  /// an error has not: its launcher may end the job.
  bool none_can_go_on = false;

  [[nodiscard]] bool isBlocked(std::int64_t rank) const;
};
Waits waitsNow(const Evidence& evidence);

/// The blocked ranks that wait for one of these, or for a rank that does; ascending.
Ranks waitersFor(const Evidence& evidence, const Waits& waits, const Ranks& culprits);

/// Blocked ranks that wait for each other in a circle, so that none of them will ever continue; empty when there is
/// none. Means something only while no rank makes progress: an operation that runs at the same time as others does not
/// block a rank.
Ranks circleOf(const Evidence& evidence, const Waits& waits);

/// The one rank that all the others are waiting for.
std::optional<std::int64_t> waitingFor(const Evidence& evidence, const Waits& waits);

/// How long all ranks may make no progress before the job counts as stalled: three seconds, or five times the usual
/// time between collectives when that takes longer. Without collectives ten seconds, or five times what a rank usually
/// loads and computes in a step.
std::int64_t stallTime(const CollectiveTable& collectives, const std::vector<RankTracker>& ranks);

/// No rank has made progress for that long, or a trace of another tool shows no more of it.
bool isStandingStill(const Evidence& evidence);

}  // namespace shardlens
