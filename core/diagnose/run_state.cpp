// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/run_state.h"

#include "core/base/phrase.h"

#include <algorithm>

namespace shardlens {

Gravity gravityOf(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Paused:
    case VerdictKind::Wandering:
      return Gravity::Note;
    case VerdictKind::Straggler:
    case VerdictKind::Starved:
    case VerdictKind::Lost:
      return Gravity::Warning;
    default:
      return Gravity::Error;
  }
}

const char* verdictName(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Straggler:
      return "straggler";
    case VerdictKind::Wandering:
      return "wandering";
    case VerdictKind::Starved:
      return "starved";
    case VerdictKind::Paused:
      return "paused";
    case VerdictKind::Stalled:
      return "stalled";
    case VerdictKind::Mismatch:
      return "mismatch";
    case VerdictKind::Dead:
      return "dead";
    case VerdictKind::LaunchFailed:
      return "launch_failed";
    case VerdictKind::Lost:
      return "lost";
  }
  return "unknown";
}

bool RunState::hasSteps() const {
  return planned_steps > 0 ||
         std::ranges::any_of(ranks, [](const RankState& rank) { return rank.steps_done > 0 || rank.samples > 0; });
}

std::int64_t RunState::ranksOnHost() const {
  return std::ranges::count(ranks, host, &RankState::host);
}

std::string operationText(const RankState& rank) {
  if (!rank.operation) return {};
  return operationText(*rank.operation) + (rank.group.empty() ? "" : " of " + rank.group);
}

std::string statusText(const RankState& rank) {
  switch (rank.status) {
    case RankStatus::Unheard:
      return worded("status", "no report yet");
    case RankStatus::Loading:
      return worded("status", "loading");
    case RankStatus::Computing:
      return worded("status", "computing");
    case RankStatus::InCollective:
      return filled(worded("status", "in %1"), operationText(rank));
    case RankStatus::Between:
      return worded("status", "between phases");
    case RankStatus::Stopped:
      return worded("status", "stopped");
    case RankStatus::Done:
      return worded("status", "done");
    case RankStatus::Ended:
      return worded("status", "ended");
    case RankStatus::Dead:
      return worded("status", "dead");
  }
  return worded("status", "unknown");
}

std::string statusText(const RunState& state, const RankState& rank) {
  const bool is_over = rank.status == RankStatus::Done || rank.status == RankStatus::Ended ||
                       rank.status == RankStatus::Dead || rank.status == RankStatus::Unheard;
  const std::string text = statusText(rank);
  return state.status == JobStatus::Unknown && !is_over ? filled(worded("status", "%1 at the end"), text) : text;
}

}  // namespace shardlens
