// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/stalls.h"

#include "core/diagnose/run_state.h"

#include <algorithm>

namespace shardlens::ui {
namespace {

bool isStandstill(const Verdict& verdict) {
  return verdict.kind == VerdictKind::Stalled;
}

/// When a rank last began or ended something; nothing when no rank ever did.
std::optional<std::int64_t> lastProgress(const RunState& state, const Overview* overview) {
  std::int64_t last = 0;
  const bool is_running = isUnderWay(state.status);
  if (is_running) {
    for (const RankState& rank : state.ranks) last = std::max(last, rank.since_ns);
  } else if (overview != nullptr) {
    last = overview->lanes.end_ns;
  }
  return last > 0 ? std::optional(last) : std::nullopt;
}

}  // namespace

const Verdict* stalledIn(const RunState& state) {
  const auto found = std::ranges::find_if(state.verdicts, isStandstill);
  return found == state.verdicts.end() ? nullptr : &*found;
}

std::vector<const RankState*> culpritsIn(const RunState& state, const Verdict& verdict) {
  std::vector<std::int64_t> ranks = verdict.ranks;
  if (ranks.empty() && verdict.rank >= 0) ranks = {verdict.rank};
  std::vector<const RankState*> found;
  for (const std::int64_t rank : ranks) {
    if (rank >= 0 && rank < static_cast<std::int64_t>(state.ranks.size()))
      found.push_back(&state.ranks[static_cast<std::size_t>(rank)]);
  }
  return found;
}

std::vector<Stall> stallsOf(const RunState& state, const Overview* overview) {
  std::vector<Stall> stalls;
  for (const Verdict& verdict : state.verdicts) {
    if (verdict.kind != VerdictKind::Paused && !isStandstill(verdict)) continue;
    const auto from = verdict.from_ns || !isStandstill(verdict) ? verdict.from_ns : lastProgress(state, overview);
    if (from) stalls.push_back({*from, verdict.to_ns.value_or(state.elapsed_ns)});
  }
  return stalls;
}

std::optional<Stall> stallOf(const RunState& state, qint64 rank) {
  const Verdict* stalled = stalledIn(state);
  if (stalled == nullptr || !stalled->from_ns || !stalled->to_ns) return std::nullopt;
  for (const RankState* culprit : culpritsIn(state, *stalled)) {
    if (culprit->rank == rank) return Stall{*stalled->from_ns, *stalled->to_ns};
  }
  return std::nullopt;
}

std::int64_t stallLength(const RunState& state) {
  const Verdict* stalled = stalledIn(state);
  return stalled == nullptr || !stalled->from_ns ? 0 : std::max<std::int64_t>(0, state.elapsed_ns - *stalled->from_ns);
}

}  // namespace shardlens::ui
